"""Tests that a rule's value must pass: each takes a `Hit` and gives the values it finds, none when the match means something else.

A rule in the data names its check (`extract.CHECKS`); what counts as a name, a place, a job or a plan is decided here, with the word lists.
"""
