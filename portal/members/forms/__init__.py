from portal.members.forms.logo import LogoForm

__all__ = ["LogoForm"]
