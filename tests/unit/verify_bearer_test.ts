import * as jose from "jose";
import { Buffer } from "node:buffer";
import type { TokenIssuer, VerifyBearer } from "../../shared/core/auth/bearer_verifier.ts";
import { type BearerKeys, createBearerVerifier } from "../../shared/core/auth/verify_bearer.ts";
import { ApiError } from "../../shared/infra/errors.ts";
import { assertEquals, assertInstanceOf, assertRejects } from "../support/assert.ts";
import { sentenceOf } from "../support/refusals.ts";
import { serve } from "../support/serve.ts";

const es256 = await createKey("ES256", "key-1");
const rs256 = await createKey("RS256", "key-2");
/** A foreign key with the same kid. */
const foreign = await createKey("ES256", "key-1");
const secret = "a secret of the project that is long enough for HS384 as well";
const keySet = { keys: [es256.jwk, rs256.jwk] };

/** The project; it publishes exactly the keys of the environment. */
const project = serve(() => Response.json(keySet));

const issuer = "https://project.supabase.co/auth/v1";
const claims = {
  iss: issuer,
  sub: "5b1c8f6e-0f0c-4a3c-9a9e-0b8f0a7f4c11",
  role: "authenticated",
  aud: "authenticated",
};
const asymmetric: BearerKeys = {
  supabaseUrl: project.url,
  publishableKeys: ["sb_publishable_1", "eyJ.anon"],
  jwks: keySet,
  jwtSecret: null,
  jwtIssuer: issuer,
};
const both = { ...asymmetric, jwtSecret: secret };

async function createKey(alg: string, kid: string) {
  const { privateKey, publicKey } = await jose.generateKeyPair(alg, { extractable: true });
  const jwk = { ...await jose.exportJWK(publicKey), alg, kid, use: "sig" };
  return { alg, kid, jwk, privateKey, pem: await jose.exportSPKI(publicKey) };
}

/** The same RSA key, for the other padding. */
async function forPs256(key: jose.CryptoKey): Promise<jose.CryptoKey> {
  const algorithm = { name: "RSA-PSS", hash: "SHA-256" };
  return await crypto.subtle.importKey("jwk", await jose.exportJWK(key) as JsonWebKey, algorithm, false, ["sign"]);
}

type Signing = { alg: string; kid?: string; privateKey: jose.CryptoKey | Uint8Array };

async function sign(
  { alg, kid, privateKey }: Signing,
  changes: Record<string, unknown> = {},
  exp = "1h",
): Promise<string> {
  return await new jose.SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg, kid, typ: "JWT" })
    .setIssuedAt().setExpirationTime(exp).sign(privateKey);
}

/** HS256 with any text as the secret. */
function symmetric(text: string, kid?: string): Signing {
  return { alg: "HS256", kid, privateKey: new TextEncoder().encode(text) };
}

/** Builds a token by hand, since no library would sign it. */
function assemble(header: object, payload: object, signature = ""): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  return [encode(header), encode(payload), signature].join(".");
}

const exp = Math.floor(Date.now() / 1000) + 3600;
const good = await sign(es256);
const [header = "", payload = "", signature = ""] = good.split(".");
const otherUser = Buffer.from(JSON.stringify({ ...claims, sub: "another user", exp })).toString("base64url");

const accepted: Record<string, { keys: BearerKeys; token: string; user: string | null }> = {
  "an ES256 token signs its user in": { keys: asymmetric, token: good, user: claims.sub },
  "an RS256 token signs its user in": { keys: asymmetric, token: await sign(rs256), user: claims.sub },
  "an ES256 token does so where a secret is set too": { keys: both, token: good, user: claims.sub },
  "an HS256 token signs its user in where a secret is set": {
    keys: both,
    token: await sign(symmetric(secret)),
    user: claims.sub,
  },
  "a token with other audiences beside ours signs its user in": {
    keys: asymmetric,
    token: await sign(es256, { aud: ["other", "authenticated"] }),
    user: claims.sub,
  },
  "a token of a clock that is a minute ahead signs its user in": {
    keys: asymmetric,
    token: await sign(es256, { nbf: exp - 3_550, iat: exp - 3_550 }),
    user: claims.sub,
  },
  "a publishable key signs no user in": { keys: asymmetric, token: "sb_publishable_1", user: null },
  "a legacy anon key signs no user in": { keys: asymmetric, token: "eyJ.anon", user: null },
};

const nameless = { ...rs256.jwk, alg: undefined };
const refused: Record<string, { keys?: BearerKeys; token: string | (() => Promise<string>) }> = {
  "an empty token": { token: "" },
  "garbage": { token: "garbage" },
  "garbage in three parts": { token: "a.b.c" },
  "a secret key": { token: "sb_secret_1" },
  "a publishable key with a space": { token: "sb_publishable_1 " },
  "a token without its signature": { token: `${header}.${payload}.` },
  "a token with another signature": { token: `${header}.${payload}.${signature.split("").reverse().join("")}` },
  "a token whose user was changed": { token: `${header}.${otherUser}.${signature}` },
  "a foreign key with the same kid": { token: await sign(foreign) },
  "a key that is not in the set": { token: await sign({ ...foreign, kid: "key-3" }) },
  "an ES256 token under the kid of the RS256 key": { token: await sign({ ...es256, kid: rs256.kid }) },
  "an expired token": { token: await sign(es256, {}, "-1s") },
  "an expired HS256 token": { keys: both, token: await sign(symmetric(secret), {}, "-1s") },
  "a token that is not valid yet": { token: await sign(es256, { nbf: exp }) },
  "a token that is valid in five minutes": { token: await sign(es256, { nbf: exp - 3_300 }) },
  "a token that never expires": {
    token: await new jose.SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: es256.kid }).sign(es256.privateKey),
  },
  "a token without a sub": { token: await sign(es256, { sub: undefined }) },
  "a token with an empty sub": { token: await sign(es256, { sub: "" }) },
  "a token without a role": { token: await sign(es256, { role: undefined }) },
  "a token with the role anon": { token: await sign(es256, { role: "anon" }) },
  "a token with the role service_role": { token: await sign(es256, { role: "service_role" }) },
  "an HS256 token with the role service_role": {
    keys: both,
    token: await sign(symmetric(secret), { role: "service_role" }),
  },
  ...Object.fromEntries(
    Object.entries({
      "no audience": { aud: undefined },
      "an empty audience": { aud: "" },
      "no audience in a list": { aud: [] },
      "another audience": { aud: "other" },
      "only other audiences": { aud: ["anon", "authenticated "] },
      "an audience that is no text": { aud: { authenticated: true } },
      "no issuer": { iss: undefined },
      "an empty issuer": { iss: "" },
      "another issuer": { iss: "https://other.supabase.co/auth/v1" },
      "an issuer that only begins like ours": { iss: `${issuer}/` },
      "an issuer in a list": { iss: [issuer] },
      // As in the keys of apps that projects had before publishable keys.
      "the issuer of an app's key": { iss: "supabase" },
    }).flatMap(([what, changes]) =>
      [
        [`a token with ${what}`, { changes, signing: es256 }],
        [`an HS256 token with ${what}`, { changes, signing: symmetric(secret) }],
      ] as const
    ).map(([what, { changes, signing }]) => [what, { keys: both, token: () => sign(signing, changes) }]),
  ),
  "alg none": { token: assemble({ alg: "none", typ: "JWT" }, { ...claims, exp }) },
  "alg none, where a secret is set": { keys: both, token: assemble({ alg: "none" }, { ...claims, exp }) },
  "alg None with a kid": { token: assemble({ alg: "None", kid: es256.kid }, { ...claims, exp }, signature) },
  "no alg": { token: assemble({ kid: es256.kid }, { ...claims, exp }, signature) },
  "HS256 where no secret is set": { token: await sign(symmetric(secret)) },
  "HS256 with another secret": { keys: both, token: await sign(symmetric(`${secret}!`)) },
  "PS256 with an RSA key that names no algorithm": {
    keys: { ...asymmetric, jwks: { keys: [nameless] } },
    token: await sign({ ...rs256, alg: "PS256", privateKey: await forPs256(rs256.privateKey) }),
  },
  "HS384 with the right secret": {
    keys: both,
    token: await sign({ alg: "HS384", privateKey: new TextEncoder().encode(secret) }),
  },
};
for (
  const [name, publicText] of Object.entries({
    "PEM": es256.pem,
    "RSA PEM": rs256.pem,
    "trimmed PEM": rs256.pem.trim(),
    "JWK": JSON.stringify(es256.jwk),
    "key set": JSON.stringify(keySet),
    "x of the JWK": es256.jwk.x ?? "",
  })
) {
  const token = await sign(symmetric(publicText, es256.kid));
  refused[`HS256 signed with the public ${name}`] = { token };
  refused[`HS256 signed with the public ${name}, where a secret is set`] = { keys: both, token };
}

type VerifyId = (...args: Parameters<VerifyBearer>) => Promise<string | null>;

/** Verifies tokens, and returns only the ids of their users. */
function createIdVerifier(keys: BearerKeys, timeout?: number): VerifyId {
  const verify = createBearerVerifier(keys, timeout);
  return async (...args) => (await verify(...args))?.user.id ?? null;
}

/** Verifies tokens for an account without issuers of its own. */
function createVerifier(keys: BearerKeys, timeout?: number): (token: string) => Promise<string | null> {
  const verify = createIdVerifier(keys, timeout);
  return (token) => verify(token, () => Promise.resolve([]));
}

Deno.test("createBearerVerifier", async (t) => {
  for (const [promise, { keys, token, user }] of Object.entries(accepted)) {
    await t.step(promise, async () => assertEquals(await createVerifier(keys)(token), user));
  }

  for (const [what, { keys = asymmetric, token }] of Object.entries(refused)) {
    await t.step(`${what} is 401`, async () => {
      const text = typeof token === "string" ? token : await token();
      const error = await assertRejects(() => createVerifier(keys)(text), ApiError);
      assertEquals([error.status, error.message], [401, sentenceOf("invalid_access_token")]);
      assertEquals(error.toJSON(), { error: sentenceOf("invalid_access_token") });
    });
  }

  await t.step("a refused token does not affect the next", async () => {
    const verify = createVerifier(asymmetric);
    await assertRejects(() => verify("garbage"), ApiError);
    assertEquals(await verify(good), claims.sub);
  });

  await t.step("without a key set in the environment, the project's is fetched once", async () => {
    const paths: string[] = [];
    await using server = serve((request) => {
      paths.push(new URL(request.url).pathname);
      return Response.json(keySet);
    });
    const verify = createVerifier({ ...asymmetric, supabaseUrl: server.url, jwks: null });
    assertEquals([await verify(good), await verify(await sign(rs256))], [claims.sub, claims.sub]);
    assertEquals(paths, ["/auth/v1/.well-known/jwks.json"]);
  });

  await t.step("a key that the project does not publish is 401", async () => {
    await using server = serve(() => Response.json({ keys: [] }));
    const verify = createVerifier({ ...asymmetric, supabaseUrl: server.url, jwks: null });
    assertEquals((await assertRejects(() => verify(good), ApiError)).status, 401);
  });

  const outages: Record<string, () => Response> = {
    "an error": () => new Response("down", { status: 500 }),
    "something that is not JSON": () => new Response("<html>"),
  };
  for (const [what, reply] of Object.entries(outages)) {
    await t.step(`a project that answers with ${what} is 503, and called again later`, async () => {
      let isDown = true;
      await using server = serve(() => isDown ? reply() : Response.json(keySet));
      const verify = createVerifier({ ...asymmetric, supabaseUrl: server.url, jwks: null });
      const error = await assertRejects(() => verify(good), ApiError);
      assertEquals(error.status, 503);
      assertInstanceOf(error.cause, Error);
      isDown = false;
      assertEquals(await verify(good), claims.sub);
    });
  }

  await t.step("after a rotation", async (t) => {
    const next = await createKey("ES256", "key-next");
    const isNext = await sign(next);
    let isDown = false;
    let requests = 0;
    await using server = serve(() => {
      requests++;
      return isDown ? new Response("down", { status: 500 }) : Response.json({ keys: [...keySet.keys, next.jwk] });
    });
    const start = () => {
      requests = 0;
      return createVerifier({ ...asymmetric, supabaseUrl: server.url });
    };

    await t.step("the new key is fetched once", async () => {
      const verify = start();
      assertEquals([await verify(isNext), await verify(await sign(next))], [claims.sub, claims.sub]);
      assertEquals(requests, 1);
    });

    await t.step("tokens of known keys, good or bad, cause no request", async () => {
      const verify = start();
      assertEquals([await verify(good), await verify(await sign(rs256))], [claims.sub, claims.sub]);
      for (const token of [await sign(foreign), await sign(es256, {}, "-1s"), await sign(symmetric(secret))]) {
        assertEquals((await assertRejects(() => verify(token), ApiError)).status, 401);
      }
      assertEquals(requests, 0);
    });

    await t.step("any number of invented keys causes one request", async () => {
      const verify = start();
      const invented = await Promise.all(
        Array.from({ length: 20 }, (_, index) => sign({ ...foreign, kid: `invented-${index}` })),
      );
      const refuse = async (token: string) => (await assertRejects(() => verify(token), ApiError)).status;
      const atOnce = await Promise.all(invented.slice(0, 10).map(refuse));
      const inTurn = [];
      for (const token of invented.slice(10)) inTurn.push(await refuse(token));
      assertEquals([...atOnce, ...inTurn], Array(20).fill(401));
      assertEquals(requests, 1);
      assertEquals(await verify(isNext), claims.sub);
    });

    await t.step("a foreign key under the new name is 401", async () => {
      const verify = start();
      const token = await sign({ ...foreign, kid: next.kid });
      assertEquals((await assertRejects(() => verify(token), ApiError)).status, 401);
    });

    await t.step("while the project does not answer, the new key is 503 and the known ones are accepted", async () => {
      const verify = start();
      isDown = true;
      assertEquals((await assertRejects(() => verify(isNext), ApiError)).status, 503);
      assertEquals(await verify(good), claims.sub);
      isDown = false;
      assertEquals(await verify(isNext), claims.sub);
    });
  });

  await t.step("a project that does not answer is 503", async () => {
    const released = Promise.withResolvers<Response>();
    await using server = serve(() => released.promise);
    const verify = createVerifier({ ...asymmetric, supabaseUrl: server.url, jwks: { keys: [] } }, 50);
    assertEquals((await assertRejects(() => verify(good), ApiError)).status, 503);
    released.resolve(new Response());
  });

  await t.step("a project that cannot be reached is 503", async () => {
    const { url, [Symbol.asyncDispose]: stop } = serve(() => new Response());
    await stop();
    const verify = createVerifier({ ...asymmetric, supabaseUrl: url, jwks: null });
    assertEquals((await assertRejects(() => verify(good), ApiError)).status, 503);
  });
});

Deno.test("createBearerVerifier without a named issuer", async (t) => {
  /** Auth's description of itself. */
  let reply: () => Response = () => new Response("404 page not found", { status: 404 });
  const asked: string[] = [];
  await using auth = serve((request) => {
    const { pathname } = new URL(request.url);
    asked.push(`${pathname} ${request.headers.get("apikey")}`);
    return pathname === "/auth/v1/.well-known/openid-configuration" ? reply() : Response.json(keySet);
  });
  const keys = { ...both, supabaseUrl: auth.url, jwtIssuer: null };
  const own = `${auth.url}/auth/v1`;
  /** A new verifier, and Auth as it is from now on. */
  const start = (says?: () => Response) => {
    asked.length = 0;
    if (says !== undefined) reply = says;
    return createVerifier(keys);
  };
  const refuse = async (verify: ReturnType<typeof start>, token: string) =>
    (await assertRejects(() => verify(token), ApiError)).status;

  await t.step("the project at its own address is the issuer, and is not asked", async () => {
    const verify = start();
    assertEquals(await verify(await sign(es256, { iss: own })), claims.sub);
    assertEquals(await verify(await sign(symmetric(secret), { iss: own })), claims.sub);
    assertEquals(asked, []);
  });

  await t.step("a project with another address for its clients is asked once, with a publishable key", async () => {
    const verify = start(() => Response.json({ issuer }));
    for (const token of [good, await sign(symmetric(secret)), await sign(es256, { iss: own })]) {
      assertEquals(await verify(token), claims.sub);
    }
    for (const iss of ["https://other.supabase.co/auth/v1", "", undefined]) {
      assertEquals(await refuse(verify, await sign(es256, { iss })), 401);
    }
    assertEquals(asked, ["/auth/v1/.well-known/openid-configuration sb_publishable_1"]);
  });

  await t.step("a token that the project has not signed asks nobody", async () => {
    const verify = start(() => Response.json({ issuer }));
    for (const token of [await sign(foreign), await sign(symmetric(`${secret}!`)), await sign(es256, {}, "-1s")]) {
      assertEquals(await refuse(verify, token), 401);
    }
    assertEquals(await refuse(verify, await sign(es256, { aud: "other" })), 401);
    assertEquals(asked, []);
  });

  await t.step("where Auth has no name its tokens name nobody", async () => {
    const verify = start(() => Response.json({ issuer: "" }));
    assertEquals(await verify(await sign(es256, { iss: undefined })), claims.sub);
    assertEquals(await refuse(verify, good), 401);
  });

  await t.step("where Auth does not tell its name only the project's address counts", async () => {
    for (const says of [() => new Response("404 page not found", { status: 404 }), () => Response.json({})]) {
      const verify = start(says);
      for (const token of [good, await sign(es256, { iss: undefined }), await sign(es256, { iss: "" })]) {
        assertEquals(await refuse(verify, token), 401);
      }
      assertEquals(await verify(await sign(es256, { iss: own })), claims.sub);
      assertEquals(asked.length, 1);
    }
  });

  await t.step("while Auth fails a token is 503, and Auth is asked again later", async () => {
    for (const says of [() => new Response("down", { status: 502 }), () => new Response("<html>")]) {
      const verify = start(says);
      assertEquals(await refuse(verify, good), 503);
      reply = () => Response.json({ issuer });
      assertEquals(await verify(good), claims.sub);
    }
  });

  await t.step("a named issuer is the only one", async () => {
    asked.length = 0;
    const verify = createVerifier({ ...keys, jwtIssuer: "https://api.example.test/auth/v1" });
    assertEquals(await verify(await sign(es256, { iss: "https://api.example.test/auth/v1" })), claims.sub);
    for (const iss of [issuer, own, undefined]) assertEquals(await refuse(verify, await sign(es256, { iss })), 401);
    assertEquals(asked, []);
  });
});

function prepare() {
  /** The login's keys and replies, and the number of requests for them and for the issuers. */
  const state = {
    published: { keys: [] as unknown[] },
    reply: (): Response | Promise<Response> => Response.json({ keys: [] }),
    requests: 0,
    asked: 0,
  };
  const login = serve(() => {
    state.requests++;
    return state.reply();
  });
  const agreed: TokenIssuer = {
    name: "acme",
    issuer: "https://login.acme.example/",
    jwksUrl: `${login.url}/keys`,
    audience: "coach-app",
  };
  const ofLogin = { iss: agreed.issuer, aud: agreed.audience, sub: "auth0|42", role: undefined };
  /** The issuers of the account. */
  const find = (issuers: TokenIssuer[] = [agreed]) => () => {
    state.asked++;
    return Promise.resolve(issuers);
  };
  /** A new verifier, and the login as it is from now on. */
  const start = (
    keys: unknown[] = [es256.jwk, rs256.jwk],
    says: () => Response | Promise<Response> = () => Response.json(state.published),
  ) => {
    Object.assign(state, { published: { keys }, reply: says, requests: 0, asked: 0 });
    return createIdVerifier(asymmetric, 200);
  };
  const refuse = async (verify: VerifyId, token: string, issuers?: TokenIssuer[]) => {
    const { status, message } = await assertRejects(() => verify(token, find(issuers)), ApiError);
    if (status === 401) assertEquals(message, sentenceOf("invalid_access_token"));
    return status;
  };
  return {
    state,
    agreed,
    ofLogin,
    find,
    start,
    refuse,
    [Symbol.asyncDispose]: () => login[Symbol.asyncDispose](),
  };
}

Deno.test("createBearerVerifier with issuers of the account", async (t) => {
  await using prepared = prepare();
  const { state, agreed, ofLogin, find, start, refuse } = prepared;

  for (const alg of ["ES256", "ES384", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA", "Ed25519"]) {
    await t.step(`a token signed with ${alg} signs its user in, under the name of the issuer`, async () => {
      const key = await createKey(alg, "of the login");
      assertEquals(await start([key.jwk])(await sign(key, ofLogin), find()), "acme:auth0|42");
    });
  }

  const unnamed = { name: null, email: null };
  await t.step("the name and the address of the user, on one line, unless the issuer calls it unverified", async () => {
    start();
    const verify = createBearerVerifier(asymmetric, 200);
    const email = "grace@example.com";
    const told: [said: Record<string, unknown>, name: string | null, email: string | null][] = [
      [{ name: "Grace Hopper", email }, "Grace Hopper", email],
      [{ user_metadata: { full_name: " Grace\n Hopper\u202e" }, email: "" }, "Grace Hopper", null],
      [{ user_metadata: { name: "Grace" }, email, email_verified: true }, "Grace", email],
      [{ name: 7, user_metadata: "x", email, email_verified: false }, null, null],
      [{ name: "x".repeat(255), email: ["a"] }, null, null],
    ];
    for (const [said, name, email] of told) {
      for (const issued of [said, { ...ofLogin, ...said }]) {
        const { user } = (await verify(await sign(es256, issued), find()))!;
        assertEquals([user.name, user.email], [name, email]);
      }
    }
  });

  await t.step("only the project's own Auth can say that a user is anonymous", async () => {
    start();
    const verify = createBearerVerifier(asymmetric, 200);
    for (const [said, isAnonymous] of [[true, true], [false, false], [undefined, false], ["true", false]] as const) {
      const verified = await verify(await sign(es256, { is_anonymous: said }), find());
      assertEquals(verified?.user, { id: claims.sub, isAnonymous, ...unnamed });
    }
    const foreign = await sign(es256, { ...ofLogin, is_anonymous: true });
    assertEquals((await verify(foreign, find()))?.user, { id: "acme:auth0|42", isAnonymous: false, ...unnamed });
  });

  await t.step("a token that names a client is one of an app, where the project's own Auth has issued it", async () => {
    start();
    const verify = createBearerVerifier(both, 200);
    for (
      const [client_id, isOfApp] of [[undefined, false], [null, false], ["", false], ["9a8b7c6d", true], [
        0,
        true,
      ]] as const
    ) {
      for (const signing of [es256, symmetric(secret)]) {
        const verified = await verify(await sign(signing, { client_id }), find());
        assertEquals(verified, { user: { id: claims.sub, isAnonymous: false, ...unnamed }, isOfApp });
      }
    }
    // Other issuers name the client in all of their access tokens, as RFC 9068 has it.
    const foreign = await verify(await sign(es256, { ...ofLogin, client_id: "9a8b7c6d" }), find());
    assertEquals(foreign?.isOfApp, false);
  });

  await t.step("the project's own tokens never ask for issuers", async () => {
    const verify = start();
    const verifyBoth = createIdVerifier(both);
    assertEquals(await verify(good, find()), claims.sub);
    assertEquals(await verifyBoth(await sign(symmetric(secret)), find()), claims.sub);
    assertEquals(await verify("sb_publishable_1", find()), null);
    for (const token of ["garbage", "a.b.c", await sign(foreign), await sign(es256, { iss: undefined })]) {
      assertEquals(await refuse(verify, token), 401);
    }
    assertEquals([state.asked, state.requests], [0, 0]);
  });

  await t.step("an issuer that is the project itself changes nothing", async () => {
    const itself = { ...agreed, issuer, audience: "authenticated" };
    assertEquals(await start()(good, find([itself])), claims.sub);
    // Here only Auth knows under which name the project issues tokens.
    await using auth = serve((request) =>
      Response.json(request.url.endsWith("configuration") ? { issuer } : { keys: [es256.jwk] })
    );
    const verify = createIdVerifier({ ...asymmetric, supabaseUrl: auth.url, jwtIssuer: null });
    assertEquals(await verify(good, find([itself])), claims.sub);
    assertEquals(await verify(await sign(es256, ofLogin), find()), "acme:auth0|42");
  });

  const wrong: Record<string, { token: string; issuers?: TokenIssuer[] }> = {
    "of an account without issuers": { token: await sign(es256, ofLogin), issuers: [] },
    "of another issuer": { token: await sign(es256, { ...ofLogin, iss: "https://login.acme.example" }) },
    "of issuers in a list": { token: await sign(es256, { ...ofLogin, iss: [agreed.issuer] }) },
    "of another audience": { token: await sign(es256, { ...ofLogin, aud: "authenticated" }) },
    "without an audience": { token: await sign(es256, { ...ofLogin, aud: undefined }) },
    "of another key with the same kid": { token: await sign(foreign, ofLogin) },
    "of a key that is not published": { token: await sign({ ...foreign, kid: "key-3" }, ofLogin) },
    "that has expired": { token: await sign(es256, ofLogin, "-1s") },
    "that is not valid yet": { token: await sign(es256, { ...ofLogin, nbf: exp }) },
    "that never expires": {
      token: await new jose.SignJWT(ofLogin).setProtectedHeader({ alg: "ES256", kid: es256.kid }).sign(
        es256.privateKey,
      ),
    },
    "without a sub": { token: await sign(es256, { ...ofLogin, sub: undefined }) },
    "with an empty sub": { token: await sign(es256, { ...ofLogin, sub: "" }) },
    "with a blank sub": { token: await sign(es256, { ...ofLogin, sub: " \t" }) },
    "with a number as its sub": { token: await sign(es256, { ...ofLogin, sub: 42 }) },
    "with NUL in its sub": { token: await sign(es256, { ...ofLogin, sub: "a\0b" }) },
    "with half a character in its sub": { token: await sign(es256, { ...ofLogin, sub: "a\ud800" }) },
    "with a sub that is too long": { token: await sign(es256, { ...ofLogin, sub: "a".repeat(251) }) },
    "with alg none": { token: assemble({ alg: "none" }, { ...ofLogin, exp }) },
    "with HS256 and the public key as its secret": { token: await sign(symmetric(es256.pem, es256.kid), ofLogin) },
    "with HS256 and the key set as its secret": { token: await sign(symmetric(JSON.stringify(keySet)), ofLogin) },
  };
  for (const [what, { token, issuers }] of Object.entries(wrong)) {
    await t.step(`a token ${what} is 401`, async () => assertEquals(await refuse(start(), token, issuers), 401));
  }

  await t.step("a shared secret among the published keys verifies nothing", async () => {
    const shared = { kty: "oct", kid: "shared", k: Buffer.from(secret).toString("base64url") };
    assertEquals(await refuse(start([shared]), await sign(symmetric(secret, "shared"), ofLogin)), 401);
    assertEquals(
      await refuse(start([shared]), assemble({ alg: "ES256", kid: "shared" }, { ...ofLogin, exp }, "x")),
      401,
    );
  });

  await t.step("the longest id is accepted", async () => {
    const sub = "\u{1f600}".repeat(250);
    assertEquals(await start()(await sign(es256, { ...ofLogin, sub }), find()), `acme:${sub}`);
  });

  await t.step("a key of the login signs no user of the project in, nor the other way round", async () => {
    const theirs = await createKey("ES256", "theirs");
    const verify = start([theirs.jwk]);
    assertEquals(await refuse(verify, await sign(theirs)), 401);
    assertEquals(await refuse(verify, await sign(es256, ofLogin)), 401);
    assertEquals(await verify(await sign(theirs, ofLogin), find()), "acme:auth0|42");
  });

  await t.step("each account has its own name and audience for the same login", async () => {
    const verify = start();
    const token = await sign(es256, ofLogin);
    assertEquals(await verify(token, find([{ ...agreed, name: "other" }])), "other:auth0|42");
    assertEquals(await refuse(verify, token, [{ ...agreed, audience: "other-app" }]), 401);
    assertEquals(state.requests, 1);
  });
});

Deno.test("createBearerVerifier with issuers of the account: keys that change, and logins that fail", async (t) => {
  await using prepared = prepare();
  const { state, ofLogin, find, start, refuse } = prepared;

  await t.step("keys are fetched once a minute", async () => {
    using clock = moveClock();
    const verify = start();
    const token = await sign(es256, ofLogin, "1d");
    await Promise.all(Array.from({ length: 10 }, () => verify(token, find())));
    clock.advance(59_000);
    await verify(token, find());
    assertEquals(state.requests, 1);
    clock.advance(2_000);
    await verify(token, find());
    assertEquals(state.requests, 2);
  });

  await t.step("a new key is found, and one that was taken away is refused, within a minute", async () => {
    using clock = moveClock();
    const next = await createKey("ES256", "next");
    const verify = start([es256.jwk]);
    const [old, young] = [await sign(es256, ofLogin, "1d"), await sign(next, ofLogin, "1d")];
    assertEquals(await verify(old, find()), "acme:auth0|42");
    state.published = { keys: [next.jwk] };
    clock.advance(31_000);
    assertEquals(await verify(young, find()), "acme:auth0|42");
    assertEquals(await refuse(verify, old), 401);

    state.published = { keys: [] };
    clock.advance(61_000);
    assertEquals(await refuse(verify, young), 401);
  });

  await t.step("any number of invented keys causes one request in 30 seconds", async () => {
    using clock = moveClock();
    const verify = start();
    await verify(await sign(es256, ofLogin), find());
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sign({ ...foreign, kid: `invented-${index}` }, ofLogin)),
    );
    for (const token of tokens) assertEquals(await refuse(verify, token), 401);
    assertEquals(state.requests, 1);
    clock.advance(31_000);
    for (const token of tokens) assertEquals(await refuse(verify, token), 401);
    assertEquals(state.requests, 2);
  });

  const released = Promise.withResolvers<Response>();
  const outages: Record<string, () => Response | Promise<Response>> = {
    "fails": () => new Response("down", { status: 500 }),
    "has no such page": () => new Response("not found", { status: 404 }),
    "says something that is not JSON": () => new Response("<html>"),
    "says something that is no key set": () => Response.json({ keys: "none" }),
    "leads elsewhere": () => Response.redirect(`${project.url}/keys`),
    "sends more than a key set can be": () => Response.json({ keys: [es256.jwk], padding: "x".repeat(300_000) }),
    "does not answer": () => released.promise,
  };
  for (const [what, says] of Object.entries(outages)) {
    await t.step(`a login that ${what} is 503, and asked again later`, async () => {
      using clock = moveClock();
      const verify = start([es256.jwk], says);
      const token = await sign(es256, ofLogin);
      assertEquals(await refuse(verify, token), 503);
      state.reply = () => Response.json(state.published);
      clock.advance(2_000);
      assertEquals(await verify(token, find()), "acme:auth0|42");
    });
  }

  await t.step("a login that fails is left alone for two seconds, however many tokens come", async () => {
    using clock = moveClock();
    const verify = start([es256.jwk], () => new Response("down", { status: 500 }));
    const token = await sign(es256, ofLogin);
    for (let count = 0; count < 10; count++) assertEquals(await refuse(verify, token), 503);
    assertEquals(state.requests, 1);
    clock.advance(2_000);
    assertEquals(await refuse(verify, token), 503);
    assertEquals(state.requests, 2);
  });

  await t.step("a token that does not name its key is verified with each of them", async () => {
    const [first, second] = [await createKey("ES256", "first"), await createKey("ES256", "second")];
    const verify = start([first, second].map(({ jwk: { kid: _, ...jwk } }) => jwk));
    const unnamed = { ...second, kid: undefined };
    assertEquals(await verify(await sign(unnamed, ofLogin), find()), "acme:auth0|42");
    assertEquals(await refuse(verify, await sign({ ...foreign, kid: undefined }, ofLogin)), 401);
    assertEquals(await refuse(verify, await sign(unnamed, { ...ofLogin, aud: "other" })), 401);
  });
  released.resolve(new Response());

  await t.step("a database that does not answer is 503", async () => {
    const verify = start();
    const token = await sign(es256, ofLogin);
    const error = await assertRejects(() => verify(token, () => Promise.reject(new Error("down"))), ApiError);
    assertEquals([error.status, state.requests], [503, 0]);
  });
});

/** Puts the clock forward that says how old keys are. */
function moveClock(): Disposable & { advance(milliseconds: number): void } {
  const real = Date.now;
  let ahead = 0;
  Date.now = () => real() + ahead;
  return {
    advance: (milliseconds) => void (ahead += milliseconds),
    [Symbol.dispose]: () => void (Date.now = real),
  };
}
