// <form data-passkey="create|get">: asks the browser for a passkey and posts what it answers.
// The options come from the JSON element named by data-options, or from the address data-options-url.
// Expects input[name=credential], a button (hidden without script) and [data-passkey-error].
const supported = "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;

async function optionsOf(form) {
  const { options, optionsUrl } = form.dataset;
  if (options) return JSON.parse(document.getElementById(options).textContent);
  const answer = await fetch(optionsUrl, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

async function ask(form) {
  const { creation_options: creation, request_options: request } = await optionsOf(form);
  if (form.dataset.passkey === "get") {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request.publicKey);
    return navigator.credentials.get({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(creation.publicKey);
  if (form.elements.passwordless?.checked) {
    const selection = { residentKey: "required", requireResidentKey: true, userVerification: "required" };
    publicKey.authenticatorSelection = { ...publicKey.authenticatorSelection, ...selection };
  }
  return navigator.credentials.create({ publicKey });
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = form.querySelector("button");
  const error = form.querySelector("[data-passkey-error]");
  button.hidden = !supported;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    error.hidden = true;
    button.disabled = true;
    try {
      form.elements.credential.value = JSON.stringify(await ask(form));
      form.submit();
    } catch {
      error.hidden = false;
      button.disabled = false;
    }
  });
}
