import { digestApiKey } from "../../core/auth/api_key.ts";
import { errors } from "../../infra/errors.ts";
import type { Services } from "../../core/context.ts";
import type { Handler } from "../../http/app_env.ts";
import { readKeyInPath, resourceOf } from "./addresses.ts";

/**
 * `GET /mcp/{key}/.well-known/oauth-protected-resource`: tells AI clients where their user signs in (RFC 9728).
 *
 * The document follows from the address alone, so it is the same for every well-formed key: it does not tell strangers
 * which keys are valid, and costs no call of Postgres.
 */
export function describeResource(services: Pick<Services, "publicUrl" | "ownIssuer">): Handler {
  return async (c) => {
    const apiKey = readKeyInPath(c.req.path) ?? "";
    if (!apiKey.startsWith("hi_pub_") || digestApiKey(apiKey) === null) throw errors.notFound();
    const issuer = await services.ownIssuer.find().catch((cause) => {
      throw errors.unavailable(cause);
    });
    const document = {
      resource: resourceOf(services, apiKey).url,
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
      // Auth grants at least one. Its scopes say what an app learns about the user; the key says what it may do here.
      scopes_supported: ["email"],
    };
    return c.json(document, 200, { "Cache-Control": "public, max-age=600" });
  };
}
