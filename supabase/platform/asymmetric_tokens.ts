import { importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { z } from "zod";

/** A reply of Auth with a token in it. */
const session = z.looseObject({
  access_token: z.string(),
  user: z.looseObject({ email: z.string(), is_anonymous: z.boolean() }),
});

/**
 * Makes `@supabase/lite`, which signs with HS256, use the tokens of a hosted project. Replies of Auth contain ES256
 * tokens with an issuer and the claim `is_anonymous`, and the project publishes its keys. An incoming token is verified
 * and exchanged for one that lite accepts.
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

  async function signAgain(token: string, claims: { email?: string; is_anonymous: boolean }): Promise<string> {
    const { payload } = await jwtVerify(token, secret, { algorithms: ["HS256"] });
    return await new SignJWT({ ...payload, iss: issuer, ...claims }).setProtectedHeader(header).sign(privateKey);
  }

  async function swapOutgoing(response: Response): Promise<Response> {
    const body: unknown = await response.json();
    const { data } = session.safeParse(body);
    if (data === undefined) return Response.json(body, response);
    const { email, is_anonymous } = data.user;
    const access_token = await signAgain(data.access_token, { email, is_anonymous });
    const headers = new Headers(response.headers);
    headers.delete("Content-Length");
    return Response.json({ ...data, access_token }, { status: response.status, headers });
  }

  /** The link in a mail leads to a page, with the session after the `#`. Anonymous users get no mails. */
  async function swapInAddress(response: Response): Promise<Response> {
    const [page, fragment] = response.headers.get("Location")?.split("#") ?? [];
    const session = new URLSearchParams(fragment);
    const token = session.get("access_token");
    if (token === null) return response;
    session.set("access_token", await signAgain(token, { is_anonymous: false }));
    return new Response(null, { status: response.status, headers: { Location: `${page}#${session}` } });
  }

  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/auth/v1/.well-known/jwks.json") return Response.json(keySet);
    const response = await fetch(await swapIncoming(request));
    if (pathname === "/auth/v1/verify") return await swapInAddress(response);
    const isAuthReply = pathname.startsWith("/auth/v1/") && response.ok &&
      response.headers.get("Content-Type")?.startsWith("application/json");
    return isAuthReply ? await swapOutgoing(response) : response;
  };
}

/** The key set that a project with this signing key publishes. */
export function publicKeySet({ d: _, ...publicKey }: JWK): { keys: JWK[] } {
  return { keys: [publicKey] };
}
