"""Pictures for social sites."""

from django.urls import path

from portal.cards import views

app_name = "cards"

urlpatterns = [path("cards/<str:token>.png", views.picture, name="picture")]
