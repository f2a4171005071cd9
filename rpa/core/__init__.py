"""The pure core: what happened, what it means, what comes next.

No clock, no file, no socket, no await. Read `states` first.
"""
