import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { ApiError, errors } from "../../infra/errors.ts";
import { readBearer, readSecretKey } from "../../core/auth/shown_key.ts";
import { createApp, loadHandler } from "../../http/app.ts";
import type { AppEnv, Handler } from "../../http/app_env.ts";
import { authenticate, openIncoming, requireAdmitted } from "../../http/authenticate.ts";
import type { Services } from "../../core/context.ts";
import { cors as usualCors } from "../../http/cors.ts";
import { digestApiKey } from "../../core/auth/digest.ts";
import type { VerifiedToken } from "../../core/auth/bearer_verifier.ts";
import type { CoreServices } from "../../core/core_services.ts";

/** The route of the server for AI clients that sign their user in: the key is part of the address. */
const appPath = "/mcp/:key";
/** The route of the document that says where they sign in. */
const metadataPath = `${appPath}/.well-known/oauth-protected-resource`;

/** The key in a path, which may be any text; undefined where there is none. */
function readKeyInPath(path: string): string | undefined {
  return /^\/mcp\/(hi_[^/]+|[^/]+$)/.exec(path)?.[1];
}

/** The addresses of the server for a key, as clients know them. */
function resourceOf({ publicUrl }: Pick<CoreServices, "publicUrl">, apiKey: string) {
  const url = `${publicUrl}/functions/v1/mcp/${apiKey}`;
  return { url, metadataUrl: `${url}/.well-known/oauth-protected-resource` };
}

/** The sentence of a 500 before a tool is called. */
export const mcpFailure = "Failed to handle the message";

/**
 * The function `mcp`: operations as tools for models. At `/mcp`, with a secret key in a header. Where a publishable key is
 * part of the address, for a user who is signed in with OAuth. The scope is checked when a tool is called: each has its
 * own.
 */
export function createMcpApp(services: Services) {
  const handle = loadHandler(mcpFailure, async () => {
    const { createPostMcp } = await import("./handlers.ts");
    return createPostMcp(async (request) => await app.fetch(request));
  });
  const [byHeader, byPath] = [authenticate(services, readSecretKey), authenticateApp(services)];
  const app = createApp("mcp", services, [
    { method: "POST", path: "/mcp", handle },
    { method: "POST", path: appPath, handle },
  ], {
    open: [{ method: "GET", path: metadataPath, handle: describeResource(services) }],
    admit: (c, next) => readKeyInPath(c.req.path) === undefined ? byHeader(c, next) : byPath(c, next),
    cors: mcpCors,
    describe: withRemedy,
  });
  return app;
}

/** Adds the remedy of a refusal as `message`: people read it in their MCP client. */
function withRemedy(refusal: ApiError, c: HonoContext<AppEnv>): ApiError {
  const isInPath = refusal.code === "invalid_api_key" && readKeyInPath(c.req.path) !== undefined;
  const error = isInPath ? errors.invalidMcpAddress() : refusal;
  const { remedy } = error.options;
  return remedy === undefined ? error : error.withFields({ message: remedy });
}

/** The headers of a page that is an AI client: those of the interface, and those of the protocol. */
const allowedToApps = [
  "authorization, x-client-info, apikey, content-type",
  "mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id",
].join(", ");

/** The CORS headers at `/mcp`. Where the key is part of the address, pages may send the protocol's headers, too. */
const mcpCors: MiddlewareHandler = async function mcpCors(c, next) {
  await usualCors(c, async () => {
    if (readKeyInPath(c.req.path) !== undefined) {
      c.header("Access-Control-Allow-Headers", allowedToApps);
      const exposed = c.res.headers.get("Access-Control-Expose-Headers");
      c.header("Access-Control-Expose-Headers", `${exposed}, WWW-Authenticate`);
    }
    await next();
  });
};

/**
 * `GET /mcp/{key}/.well-known/oauth-protected-resource`: tells AI clients where their user signs in (RFC 9728).
 *
 * The document follows from the address alone, so it is the same for every well-formed key: it does not tell strangers
 * which keys are valid, and costs no call of Postgres.
 */
function describeResource(services: Pick<Services, "publicUrl" | "ownIssuer">): Handler {
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

/**
 * The first half of authentication where the key is part of the address. The user has to be signed in to an AI client with
 * OAuth, by the project's own Auth: the token names that client. Other headers with keys are ignored.
 *
 * Without a valid token, the reply says where to sign in (RFC 9728). It says so to pages of every origin: those that may
 * use the key are only checked for a user who is signed in.
 */
function authenticateApp(services: Services): MiddlewareHandler<AppEnv> {
  return async function authenticateApp(c, next) {
    const apiKey = readKeyInPath(c.req.path);
    if (apiKey === undefined) throw errors.notFound();
    if (apiKey.startsWith("hi_live_")) throw errors.secretKeyInAddress();
    const page = { origin: c.req.header("Origin") ?? null, isSameOrigin: false, isForMcp: true };
    const incoming = openIncoming(c, services, { apiKey, page });
    const challenge = `Bearer resource_metadata="${resourceOf(services, apiKey).metadataUrl}"`;

    const authorization = c.req.header("Authorization")?.trim();
    if (!authorization) throw errors.appMustSignIn(challenge);
    const verified = await verify(services, readBearer(authorization)).catch((error) => {
      throw error instanceof ApiError && error.status === 401 ? errors.invalidAppToken(challenge, error.cause) : error;
    });
    // A user's own token, as pages have it: nobody has agreed to an AI client.
    if (!verified?.isOfApp) throw errors.invalidAppToken(challenge);
    incoming.admission.signIn(verified.user);
    incoming.userId = verified.user.id;
    await next();
    requireAdmitted(c);
  };
}

async function verify({ verifyBearer }: Services, token: string | undefined): Promise<VerifiedToken | null> {
  // An account may agree to other issuers of tokens, but their apps are not known here.
  return token === undefined ? null : await verifyBearer(token, () => Promise.resolve([]));
}
