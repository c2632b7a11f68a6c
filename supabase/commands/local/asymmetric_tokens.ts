import { importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { z } from "zod";

/** A reply of Auth with a token in it. */
const session = z.looseObject({
  access_token: z.string(),
  user: z.looseObject({ email: z.string(), is_anonymous: z.boolean() }),
});

/**
 * Makes `@supabase/lite`, which signs with HS256, use the tokens of a hosted project. Replies of Auth contain ES256
 * tokens with an issuer and the claim `is_anonymous`, and the project publishes its keys and its issuer. An incoming
 * token is verified and exchanged for one that lite accepts.
 *
 * @param fetch lite's own handler
 * @param issuer `iss` of the tokens
 */
export async function withAsymmetricTokens(
  fetch: (request: Request) => Response | Promise<Response>,
  { signingKey, jwtSecret, issuer }: { signingKey: JWK; jwtSecret: string; issuer: string },
): Promise<(request: Request) => Promise<Response>> {
  const privateKey = await importJWK(signingKey, "ES256") as CryptoKey;
  const keySet = publicKeySet(signingKey);
  const publicKey = await importJWK(keySet.keys[0]!, "ES256");
  const secret = new TextEncoder().encode(jwtSecret);
  const header = { alg: "ES256", typ: "JWT", kid: signingKey.kid };

  async function swapIncoming(request: Request): Promise<Request> {
    const [, token] = /^Bearer (.+)$/i.exec(request.headers.get("Authorization") ?? "") ?? [];
    if (token === undefined) return request;
    const headers = new Headers(request.headers);
    try {
      const { payload } = await jwtVerify(token, publicKey, { algorithms: ["ES256"] });
      headers.set(
        "Authorization",
        `Bearer ${await new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(secret)}`,
      );
    } catch {
      // Not a token of this stack. Lite would accept one that it signed itself, so the token is made invalid.
      if (!token.startsWith("sb_")) headers.set("Authorization", "Bearer invalid");
    }
    return new Request(request, { headers });
  }

  async function swapOutgoing(response: Response): Promise<Response> {
    const body: unknown = await response.json();
    const { data } = session.safeParse(body);
    if (data === undefined) return Response.json(body, response);
    const { payload } = await jwtVerify(data.access_token, secret, { algorithms: ["HS256"] });
    const { email, is_anonymous } = data.user;
    const access_token = await new SignJWT({ ...payload, iss: issuer, email, is_anonymous })
      .setProtectedHeader(header).sign(privateKey);
    const headers = new Headers(response.headers);
    headers.delete("Content-Length");
    return Response.json({ ...data, access_token }, { status: response.status, headers });
  }

  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/auth/v1/.well-known/jwks.json") return Response.json(keySet);
    if (pathname === "/auth/v1/.well-known/openid-configuration") return Response.json({ issuer });
    const response = await fetch(await swapIncoming(request));
    const isAuthReply = pathname.startsWith("/auth/v1/") && response.ok &&
      response.headers.get("Content-Type")?.startsWith("application/json");
    return isAuthReply ? await swapOutgoing(response) : response;
  };
}

/** The key set that a project with this signing key publishes. */
export function publicKeySet({ d: _, ...publicKey }: JWK): { keys: JWK[] } {
  return { keys: [publicKey] };
}
