// A ballot that the server takes and reviews itself, and the styleguide: the form alone.
import { BallotForm } from "./form.js";

for (const form of document.querySelectorAll("form[data-ballot]")) new BallotForm(form);
