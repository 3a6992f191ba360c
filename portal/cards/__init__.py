"""The picture that social sites show beside a link to a page: its words, drawn here.

The words travel in the address, signed: nothing is looked up, so no picture can tell what a page
does not tell, and an address always has the same picture.
"""
