const keys = document.querySelector("#reference").dataset;
const viewer = SwaggerUIBundle({
  dom_id: "#reference",
  url: "/functions/v1/docs/openapi.json",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Otherwise an online validator would be sent the address of the document.
  validatorUrl: null,
  onComplete() {
    for (const [scheme, key] of Object.entries(keys)) viewer.preauthorizeApiKey(scheme, key);
  },
});
