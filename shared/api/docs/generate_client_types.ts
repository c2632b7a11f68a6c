/** `npm run client`: writes the OpenAPI document, as it is served, and from it the types of the client. */
import openapiTS, { astToString } from "openapi-typescript";
import { createApiDocument } from "./document.ts";

/** The document as it is served: pieces of its text, so that the function has nothing to parse. */
export async function generateServedDocument(): Promise<string> {
  const text = JSON.stringify(await createApiDocument());
  return `${JSON.stringify(text.match(/[^]{1,10000}/g), null, 2)}\n`;
}

/** The types of every operation and schema of the document, as TypeScript, without replies to failed requests. */
export async function generateClientTypes(): Promise<string> {
  const { components: { responses: _responses, examples: _examples, ...components } = {}, ...document } =
    await createApiDocument();
  // The client turns each of them into a ServiceError.
  const withoutErrors = JSON.stringify(
    { ...document, components },
    (key, value) => /^[45](?:\d\d|XX)$/.test(key) ? undefined : value,
  );
  const types = await openapiTS(withoutErrors, { alphabetize: true });
  return `// Written by \`npm run client\`; not to be edited.\n${astToString(types)}`;
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("openapi_text.json", import.meta.url), await generateServedDocument());
  await Deno.writeTextFile(new URL("../../clients/client/api_types.ts", import.meta.url), await generateClientTypes());
}
