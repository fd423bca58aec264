"""SAGO: when the same thing is said in another way, what changes?"""
