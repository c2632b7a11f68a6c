import * as jose from "jose";
import { operator, type Tenant } from "./project.ts";
import { serve } from "./serve.ts";

/** An application's own login: it publishes its keys and signs tokens. */
export async function startLogin() {
  const login = { isDown: false, requests: 0, keys: [] as jose.JWK[] };
  const server = serve(() => {
    login.requests++;
    return login.isDown ? new Response("down", { status: 500 }) : Response.json({ keys: login.keys });
  });
  const issuer = `https://login.example/${crypto.randomUUID()}`;
  const { privateKey, publicKey } = await jose.generateKeyPair("RS256", { extractable: true });
  login.keys = [{ ...await jose.exportJWK(publicKey), alg: "RS256", kid: "1", use: "sig" }];
  const sign = (sub: string, changes: Record<string, unknown> = {}, key: jose.CryptoKey | Uint8Array = privateKey) =>
    new jose.SignJWT({ iss: issuer, aud: "coach-app", sub, exp: Math.floor(Date.now() / 1_000) + 3_600, ...changes })
      .setProtectedHeader({ alg: key instanceof Uint8Array ? "HS256" : "RS256", kid: "1" }).sign(key);
  return {
    state: login,
    url: server.url,
    issuer,
    publicPem: await jose.exportSPKI(publicKey),
    sign,
    /** Has tokens of this login sign in users of an account. */
    async join({ accountId }: Tenant, name = "acme", audience = "coach-app") {
      await operator.rpc("set_token_issuer", {
        account_id: accountId,
        name,
        issuer,
        jwks_url: `${server.url}/keys`,
        audience,
      }).throwOnError();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
