"""The command line: one file per command.

Command modules import nothing heavy at their top: what a command needs is imported when it runs,
so that ``rpa --help`` does not wait for a browser library.
"""
