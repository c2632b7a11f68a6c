/**
 * `npm run client`: writes what follows from the endpoints. These are the addresses that each function starts with, the
 * OpenAPI document as it is served, and from it the types and most methods of the client.
 */
import openapiTS, { astToString } from "openapi-typescript";
import { createApiDocument } from "./document.ts";
import { findEndpoints, writeAddresses } from "./find_endpoints.ts";
import { writeClientMethods } from "./write_client_methods.ts";

/** The texts of the files that are generated, by their paths below `shared`. */
export async function generateFiles(): Promise<Map<string, string>> {
  const { endpoints } = await findEndpoints();
  const document = await createApiDocument();
  const addresses = [...writeAddresses(endpoints)].map(([name, text]) => [`api/endpoints/${name}`, text] as const);
  return new Map([
    ...addresses,
    ["api/docs/openapi_text.json", writeServedDocument(document)],
    ["clients/client/api_types.ts", await writeClientTypes(document)],
    ["clients/client/operations.gen.ts", writeClientMethods(endpoints, document)],
  ]);
}

type ApiDocument = Awaited<ReturnType<typeof createApiDocument>>;

/** The document as it is served: pieces of its text, so that the function has nothing to parse. */
function writeServedDocument(document: ApiDocument): string {
  return `${JSON.stringify(JSON.stringify(document).match(/[^]{1,10000}/g), null, 2)}\n`;
}

/** The types of every operation and schema of the document, as TypeScript, without replies to failed requests. */
async function writeClientTypes({ components = {}, ...document }: ApiDocument): Promise<string> {
  const { responses: _responses, examples: _examples, ...kept } = components;
  // The client turns each of them into a ServiceError.
  const withoutErrors = JSON.stringify(
    { ...document, components: kept },
    (key, value) => /^[45](?:\d\d|XX)$/.test(key) ? undefined : value,
  );
  const types = await openapiTS(withoutErrors, { alphabetize: true });
  return `// Written by \`npm run client\`; not to be edited.\n${astToString(types)}`;
}

if (import.meta.main) {
  for (const [path, text] of await generateFiles()) {
    await Deno.writeTextFile(new URL(`../../${path}`, import.meta.url), text);
  }
}
