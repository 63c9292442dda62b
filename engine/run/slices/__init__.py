"""Slices: releases over time. A target grows by new transactions only; a ledger knows them all."""
