import type { CoreServices } from "../../core/core_services.ts";

/** The route of the server for AI clients that sign their user in: the key is part of the address. */
export const appPath = "/mcp/:key";
/** The route of the document that says where they sign in. */
export const metadataPath = `${appPath}/.well-known/oauth-protected-resource`;

/** The key in a path, which may be any text; undefined where there is none. */
export function readKeyInPath(path: string): string | undefined {
  return /^\/mcp\/(hi_[^/]+|[^/]+$)/.exec(path)?.[1];
}

/** The addresses of the server for a key, as clients know them. */
export function resourceOf({ publicUrl }: Pick<CoreServices, "publicUrl">, apiKey: string) {
  const url = `${publicUrl}/functions/v1/mcp/${apiKey}`;
  return { url, metadataUrl: `${url}/.well-known/oauth-protected-resource` };
}
