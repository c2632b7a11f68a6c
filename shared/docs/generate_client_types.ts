/** `npm run client`: writes the types of the client from the OpenAPI document. */
import openapiTS, { astToString } from "openapi-typescript";
import { createApiDocument } from "./document.ts";

/** The types of every operation and schema of the document, as TypeScript. */
export async function generateClientTypes(): Promise<string> {
  const types = await openapiTS(JSON.stringify(await createApiDocument()), { alphabetize: true });
  return `// Written by \`npm run client\`; not to be edited.\n${astToString(types)}`;
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../client/api_types.ts", import.meta.url), await generateClientTypes());
}
