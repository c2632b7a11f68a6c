/** `npm run client`: writes the OpenAPI document, to be read and to be served, and from it the types of the client. */
import openapiTS, { astToString } from "openapi-typescript";
import { createApiDocument } from "./document.ts";

/** The document, to be read. */
export async function generateDocument(): Promise<string> {
  return `${JSON.stringify(await createApiDocument(), null, 2)}\n`;
}

/** The document as it is served: pieces of its text, so that the function has nothing to parse. */
export async function generateServedDocument(): Promise<string> {
  const text = JSON.stringify(await createApiDocument());
  return `${JSON.stringify(text.match(/[^]{1,10000}/g), null, 2)}\n`;
}

/** The types of every operation and schema of the document, as TypeScript. */
export async function generateClientTypes(): Promise<string> {
  const types = await openapiTS(JSON.stringify(await createApiDocument()), { alphabetize: true });
  return `// Written by \`npm run client\`; not to be edited.\n${astToString(types)}`;
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("openapi.json", import.meta.url), await generateDocument());
  await Deno.writeTextFile(new URL("openapi_text.json", import.meta.url), await generateServedDocument());
  await Deno.writeTextFile(new URL("../../clients/client/api_types.ts", import.meta.url), await generateClientTypes());
}
