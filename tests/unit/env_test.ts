import { release } from "../../shared/infra/release.ts";
import { type Env, readEnv, readTraceCollector } from "../../shared/infra/env.ts";
import type { ModelServer } from "../../shared/libs/llm/model_settings.ts";
import { assert, assertEquals, assertThrows } from "../support/assert.ts";

type Variables = Record<string, string>;

const least: Variables = {
  SUPABASE_URL: "https://project.supabase.co",
  SUPABASE_SECRET_KEYS: '{"default":"sb_secret_1"}',
  OPENAI_API_KEY: "sk-1",
};
const leastEnv: Env = {
  supabaseUrl: "https://project.supabase.co",
  publicUrl: "https://project.supabase.co",
  pageUrl: null,
  deskUrl: null,
  mail: null,
  secretKey: "sb_secret_1",
  secretKeys: ["sb_secret_1"],
  publishableKeys: [],
  jwks: null,
  jwtSecret: null,
  jwtIssuer: null,
  clientAddressHeader: null,
  upstash: null,
  openai: {
    apiKey: "sk-1",
    baseUrl: null,
    model: "gpt-6.1-terra",
    embeddingModel: "text-embedding-3-small",
    visionModel: "gpt-6.1-terra",
    transcriptionModel: "gpt-transcribe",
    settings: { temperature: null, reasoningEffort: "low", verbosity: null, maxOutputTokens: null, store: null },
    contextTokens: null,
  },
  turnSeconds: 140,
  allowsPrivateWebhooks: false,
  allowsPrivateSources: false,
  traces: null,
};
const { settings } = leastEnv.openai;
/** As on Supabase's platform. */
const hosted: Variables = { ...least, SB_EXECUTION_ID: "5c0c7c4b-5d8c-4f0e-9d53-8f5b1e0f7a11" };
const noMoreModels = { embeddingModel: null, visionModel: null, transcriptionModel: null };

/** The environment with other settings of the model. */
const withSettings = (others: Partial<ModelServer["settings"]>): Partial<Env> => ({
  openai: { ...leastEnv.openai, settings: { ...settings, ...others } },
});

function without(...names: string[]): Variables {
  return Object.fromEntries(Object.entries(least).filter(([name]) => !names.includes(name)));
}

const good: Record<string, { variables: Variables; env: Partial<Env> }> = {
  "the required variables are enough": { variables: least, env: {} },
  "white space around a value is cut": {
    variables: { ...least, SUPABASE_URL: " https://project.supabase.co/\n", OPENAI_API_KEY: " sk-1 " },
    env: {},
  },
  "the project and the page have the addresses that clients know": {
    variables: { ...least, PUBLIC_URL: "https://api.example.org/", PAGE_URL: "https://example.org/ask.html?lang=de" },
    env: { publicUrl: "https://api.example.org", pageUrl: "https://example.org/ask.html?lang=de" },
  },
  "a page at the root of its host": {
    variables: { ...least, PAGE_URL: "https://example.org" },
    env: { pageUrl: "https://example.org/" },
  },
  "slashes after the URL are cut": {
    variables: { ...least, SUPABASE_URL: "http://localhost:54321//" },
    env: {
      supabaseUrl: "http://localhost:54321",
      publicUrl: "http://localhost:54321",
    },
  },
  "an empty value counts as missing": {
    variables: {
      ...least,
      SUPABASE_JWKS: "",
      JWT_SECRET: " ",
      JWT_ISSUER: "",
      UPSTASH_REDIS_REST_URL: "",
      OPENAI_BASE_URL: "\n",
    },
    env: {},
  },
  "the default key comes first": {
    variables: {
      ...least,
      SUPABASE_SECRET_KEYS: '{"ci":"sb_secret_2","default":"sb_secret_1"}',
      SUPABASE_PUBLISHABLE_KEYS: '{"web":"sb_publishable_2","default":"sb_publishable_1"}',
    },
    env: { secretKeys: ["sb_secret_1", "sb_secret_2"], publishableKeys: ["sb_publishable_1", "sb_publishable_2"] },
  },
  "without a default key the first is taken": {
    variables: { ...least, SUPABASE_SECRET_KEYS: '{"ci":"sb_secret_2","web":"sb_secret_3"}' },
    env: { secretKey: "sb_secret_2", secretKeys: ["sb_secret_2", "sb_secret_3"] },
  },
  "the legacy service key is accepted": {
    variables: { ...without("SUPABASE_SECRET_KEYS"), SUPABASE_SERVICE_ROLE_KEY: "eyJ.service" },
    env: { secretKey: "eyJ.service", secretKeys: ["eyJ.service"] },
  },
  "an empty set of keys leaves the legacy key": {
    variables: { ...least, SUPABASE_SECRET_KEYS: "{}", SUPABASE_SERVICE_ROLE_KEY: "eyJ.service" },
    env: { secretKey: "eyJ.service", secretKeys: ["eyJ.service"] },
  },
  "an empty key in a set is ignored": {
    variables: { ...least, SUPABASE_SECRET_KEYS: '{"default":"","ci":"sb_secret_2"}' },
    env: { secretKey: "sb_secret_2", secretKeys: ["sb_secret_2"] },
  },
  "a new secret key goes before the legacy one": {
    variables: { ...least, SUPABASE_SERVICE_ROLE_KEY: "eyJ.service" },
    env: { secretKeys: ["sb_secret_1", "eyJ.service"] },
  },
  "the legacy anon key is publishable too": {
    variables: { ...least, SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_1"}', SUPABASE_ANON_KEY: "eyJ.anon" },
    env: { publishableKeys: ["sb_publishable_1", "eyJ.anon"] },
  },
  "keys of both token algorithms are passed on": {
    variables: { ...least, SUPABASE_JWKS: '{"keys":[{"kty":"EC"}]}', JWT_SECRET: "secret" },
    env: { jwks: { keys: [{ kty: "EC" }] }, jwtSecret: "secret" },
  },
  "the issuer of tokens can be named": {
    variables: { ...least, JWT_ISSUER: " https://api.example.test/auth/v1 " },
    env: { jwtIssuer: "https://api.example.test/auth/v1" },
  },
  "the key set may be a bare array": {
    variables: { ...least, SUPABASE_JWKS: '[{"kty":"EC"}]' },
    env: { jwks: { keys: [{ kty: "EC" }] } },
  },
  "Upstash needs its URL and its token": {
    variables: { ...least, UPSTASH_REDIS_REST_URL: "https://redis.upstash.io", UPSTASH_REDIS_REST_TOKEN: "token" },
    env: { upstash: { url: "https://redis.upstash.io", token: "token" } },
  },
  "a token alone does not configure Upstash": { variables: { ...least, UPSTASH_REDIS_REST_TOKEN: "token" }, env: {} },
  "functions that call no model need no key of the model": {
    variables: without("OPENAI_API_KEY"),
    env: { openai: { ...leastEnv.openai, ...noMoreModels, apiKey: null } },
  },
  "a model server of one's own needs no key": {
    variables: { ...without("OPENAI_API_KEY"), OPENAI_BASE_URL: "http://localhost:8080/v1", OPENAI_MODEL: "llama" },
    env: {
      openai: {
        ...leastEnv.openai,
        ...noMoreModels,
        apiKey: null,
        baseUrl: "http://localhost:8080/v1",
        model: "llama",
      },
    },
  },
  "a model server of one's own is sent the key, if there is one": {
    variables: { ...least, OPENAI_BASE_URL: "http://localhost:8080/v1" },
    env: {
      openai: { ...leastEnv.openai, ...noMoreModels, baseUrl: "http://localhost:8080/v1" },
    },
  },
  "images are described by the model of the chat": {
    variables: { ...least, OPENAI_MODEL: "gpt-6.1-sol" },
    env: { openai: { ...leastEnv.openai, model: "gpt-6.1-sol", visionModel: "gpt-6.1-sol" } },
  },
  "the models beside that of the chat can be named": {
    variables: {
      ...least,
      OPENAI_EMBEDDING_MODEL: "text-embedding-3-large",
      OPENAI_VISION_MODEL: "gpt-6.1-sol",
      OPENAI_TRANSCRIPTION_MODEL: "listener",
    },
    env: {
      openai: {
        ...leastEnv.openai,
        embeddingModel: "text-embedding-3-large",
        visionModel: "gpt-6.1-sol",
        transcriptionModel: "listener",
      },
    },
  },
  "a model server of one's own is used for the tasks whose models are named": {
    variables: {
      ...without("OPENAI_API_KEY"),
      OPENAI_BASE_URL: "http://localhost:8080/v1",
      OPENAI_EMBEDDING_MODEL: "nomic-embed-text",
    },
    env: {
      openai: {
        ...leastEnv.openai,
        ...noMoreModels,
        apiKey: null,
        baseUrl: "http://localhost:8080/v1",
        embeddingModel: "nomic-embed-text",
      },
    },
  },
  "TURN_SECONDS sets the time of a turn": { variables: { ...least, TURN_SECONDS: " 70 " }, env: { turnSeconds: 70 } },
  "a turn may take as little as 10 s": { variables: { ...least, TURN_SECONDS: "10" }, env: { turnSeconds: 10 } },
  "a turn may take as much as 390 s": { variables: { ...least, TURN_SECONDS: "390" }, env: { turnSeconds: 390 } },
  "an empty TURN_SECONDS means the default": { variables: { ...least, TURN_SECONDS: "" }, env: {} },
  "webhooks may lie in private networks": {
    variables: { ...least, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true" },
    env: { allowsPrivateWebhooks: true },
  },
  "sources may be private": {
    variables: { ...least, ALLOW_PRIVATE_SOURCES: "1" },
    env: { allowsPrivateSources: true },
  },
  "sources may be private, in other words": {
    variables: { ...least, ALLOW_PRIVATE_SOURCES: "true" },
    env: { allowsPrivateSources: true },
  },
  "sources may not be private": { variables: { ...least, ALLOW_PRIVATE_SOURCES: "0" }, env: {} },
  "or may not, as usual": { variables: { ...least, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "false" }, env: {} },
  "a hosted project has the address of a client from Cloudflare": {
    variables: hosted,
    env: { clientAddressHeader: "CF-Connecting-IP" },
  },
  "functions elsewhere believe no header, also those that use a hosted project": { variables: least, env: {} },
  "an edge runtime elsewhere believes no header": {
    variables: { ...hosted, SUPABASE_URL: "http://kong:8000" },
    env: { supabaseUrl: "http://kong:8000", publicUrl: "http://kong:8000" },
  },
  "the name of a hosted project elsewhere in an address makes it no hosted project": {
    variables: { ...hosted, SUPABASE_URL: "https://example.test/.supabase.co" },
    env: { supabaseUrl: "https://example.test/.supabase.co", publicUrl: "https://example.test/.supabase.co" },
  },
  "the header can be named": {
    variables: { ...least, CLIENT_ADDRESS_HEADER: " X-Real-IP " },
    env: { clientAddressHeader: "X-Real-IP" },
  },
  "another header can be named for a hosted project": {
    variables: { ...hosted, CLIENT_ADDRESS_HEADER: "X-Forwarded-For" },
    env: { clientAddressHeader: "X-Forwarded-For" },
  },
  "a header called none is none, for a hosted project too": {
    variables: { ...hosted, CLIENT_ADDRESS_HEADER: "none" },
    env: {},
  },
  "a model called none switches its task off": {
    variables: {
      ...least,
      OPENAI_EMBEDDING_MODEL: "none",
      OPENAI_VISION_MODEL: " none ",
      OPENAI_TRANSCRIPTION_MODEL: "none",
    },
    env: { openai: { ...leastEnv.openai, ...noMoreModels } },
  },
};

/** Variables of the model, their values, and the resulting settings. */
const goodSettings: [name: string, values: Record<string, Partial<ModelServer["settings"]>>][] = [
  ["OPENAI_TEMPERATURE", {
    "": {},
    "0": { temperature: 0 },
    "2": { temperature: 2 },
    " 0.75 ": { temperature: 0.75 },
  }],
  ["OPENAI_REASONING_EFFORT", {
    "": {},
    default: { reasoningEffort: null },
    none: { reasoningEffort: "none" },
    minimal: { reasoningEffort: "minimal" },
    low: { reasoningEffort: "low" },
    medium: { reasoningEffort: "medium" },
    high: { reasoningEffort: "high" },
    xhigh: { reasoningEffort: "xhigh" },
    max: { reasoningEffort: "max" },
  }],
  ["OPENAI_VERBOSITY", {
    "": {},
    low: { verbosity: "low" },
    medium: { verbosity: "medium" },
    high: { verbosity: "high" },
  }],
  ["OPENAI_MAX_OUTPUT_TOKENS", {
    "": {},
    "16": { maxOutputTokens: 16 },
    " 1000000 ": { maxOutputTokens: 1_000_000 },
  }],
  ["OPENAI_STORE", { "": {}, true: { store: true }, false: { store: false } }],
];

const badSettings: [name: string, values: string[], is: string][] = [
  ["OPENAI_TEMPERATURE", ["2.1", "-1", "warm", "0,5", "1e0", ".5", "NaN"], "is not a number from 0 to 2"],
  [
    "OPENAI_REASONING_EFFORT",
    ["Low", "lowest", "0", "null", "toString"],
    "must be one of none, minimal, low, medium, high, xhigh, max, default",
  ],
  ["OPENAI_VERBOSITY", ["default", "HIGH", "xhigh", "1"], "must be one of low, medium, high"],
  [
    "OPENAI_MAX_OUTPUT_TOKENS",
    ["15", "1000001", "16.5", "-16", "2k", "1_000"],
    "is not a whole number from 16 to 1000000",
  ],
  ["OPENAI_STORE", ["1", "yes", "True", "none"], "must be one of true, false"],
  [
    "OPENAI_CONTEXT_TOKENS",
    ["999", "100000001", "128k", "8192.5", "-8192"],
    "is not a whole number from 1000 to 100000000",
  ],
];

const bad: Record<string, { variables: Variables; names: string }> = {
  "a missing URL": { variables: without("SUPABASE_URL"), names: "SUPABASE_URL is missing" },
  "a blank URL": { variables: { ...least, SUPABASE_URL: "  " }, names: "SUPABASE_URL is missing" },
  "a missing secret key": {
    variables: without("SUPABASE_SECRET_KEYS"),
    names: "SUPABASE_SERVICE_ROLE_KEY is missing",
  },
  "secret keys that are not JSON": {
    variables: { ...least, SUPABASE_SECRET_KEYS: "sb_secret_1" },
    names: "SUPABASE_SECRET_KEYS is not a JSON object",
  },
  "secret keys that are null": {
    variables: { ...least, SUPABASE_SECRET_KEYS: "null" },
    names: "SUPABASE_SECRET_KEYS is not a JSON object",
  },
  "publishable keys that are not JSON": {
    variables: { ...least, SUPABASE_PUBLISHABLE_KEYS: "{default" },
    names: "SUPABASE_PUBLISHABLE_KEYS is not a JSON object",
  },
  ...Object.fromEntries(
    ["eyJ", "null", "{}", '{"keys":{}}', '{"keys":[1]}', '{"keys":[null]}', '"keys"'].map((text) => [
      `a key set that is ${text}`,
      { variables: { ...least, SUPABASE_JWKS: text }, names: "SUPABASE_JWKS is not a JSON Web Key Set" },
    ]),
  ),
  ...Object.fromEntries(
    ["9", "391", "70.5", "-70", "70s", "1e2", "Infinity"].map((text) => [
      `${text} seconds for a turn`,
      { variables: { ...least, TURN_SECONDS: text }, names: "TURN_SECONDS is not a whole number from 10 to 390" },
    ]),
  ),
  ...Object.fromEntries(
    ["X Real IP", "X-Real-IP:", "X-Real-IP,X-Forwarded-For", "é"].map((text) => [
      `a header called ${text}`,
      {
        variables: { ...least, CLIENT_ADDRESS_HEADER: text },
        names: "CLIENT_ADDRESS_HEADER must be the name of a header, or none",
      },
    ]),
  ),
  ...Object.fromEntries(
    ["PAGE_URL", "PUBLIC_URL"].flatMap((name) =>
      ["example.org", "javascript:alert(1)", "https://", "https://a:b@example.org/", "https://example.org/#x"].map((
        text,
      ) => [
        `${name}=${text}`,
        { variables: { ...least, [name]: text }, names: `${name} is not an address that begins with https://` },
      ])
    ),
  ),
  "an Upstash URL without a token": {
    variables: { ...least, UPSTASH_REDIS_REST_URL: "https://redis.upstash.io" },
    names: "UPSTASH_REDIS_REST_TOKEN is missing",
  },
};

Deno.test("readEnv", async (t) => {
  for (const [promise, { variables, env }] of Object.entries(good)) {
    await t.step(promise, () => assertEquals(readEnv((name) => variables[name]), { ...leastEnv, ...env }));
  }
  for (const [name, values] of goodSettings) {
    for (const [value, others] of Object.entries(values)) {
      await t.step(`${name}=${value} sets ${JSON.stringify(others)}`, () => {
        const variables: Variables = { ...least, [name]: value };
        assertEquals(readEnv((name) => variables[name]), { ...leastEnv, ...withSettings(others) });
      });
    }
  }
  for (const [value, contextTokens] of [["", null], ["1000", 1_000], [" 100000000", 100_000_000]] as const) {
    await t.step(`OPENAI_CONTEXT_TOKENS=${value} says how much the model takes`, () => {
      const variables: Variables = { ...least, OPENAI_CONTEXT_TOKENS: value };
      assertEquals(readEnv((name) => variables[name]).openai, { ...leastEnv.openai, contextTokens });
    });
  }
  for (const [name, values, is] of badSettings) {
    for (const value of values) {
      await t.step(`${name}=${value} is refused by its name`, () => {
        const variables: Variables = { ...least, [name]: value };
        const { message } = assertThrows(() => readEnv((name) => variables[name]), Error);
        assertEquals(message, `Cannot start: environment variable ${name} ${is}`);
      });
    }
  }
  for (const [what, { variables, names }] of Object.entries(bad)) {
    await t.step(`${what} is named`, () => {
      assertThrows(() => readEnv((name) => variables[name]), Error, `Cannot start: environment variable ${names}`);
    });
  }
  for (const text of ['"sb_secret_1"', '["sb_secret_1"]', "1"]) {
    await t.step(`secret keys as ${text} are named`, () => {
      const variables: Variables = { ...least, SUPABASE_SECRET_KEYS: text, SUPABASE_SERVICE_ROLE_KEY: "eyJ.service" };
      assertThrows(() => readEnv((name) => variables[name]), Error, "SUPABASE_SECRET_KEYS is not a JSON object");
    });
  }
  await t.step("no message quotes a value", () => {
    const error = assertThrows(
      () => readEnv((name) => ({ ...least, SUPABASE_SECRET_KEYS: "sb_secret_1" })[name]),
      Error,
    );
    assertEquals(`${error.message} ${error.cause}`.includes("sb_secret_1"), false);
  });
});

Deno.test("the collector of spans is OpenTelemetry's own variables", async (t) => {
  const read = (variables: Record<string, string>) => readTraceCollector((name) => variables[name] ?? null);
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://otel.example.com/base/" };

  await t.step("none without an address, whatever else is set", () => {
    assertEquals(read({ OTEL_SERVICE_NAME: "x", OTEL_EXPORTER_OTLP_HEADERS: "!" }), null);
  });

  await t.step("an address alone", () => {
    assertEquals(read(endpoint), {
      url: "https://otel.example.com/base/v1/traces",
      headers: {},
      serviceName: "human-intelligence-chat",
      resourceAttributes: {},
      scope: release,
    });
  });

  await t.step("lists of names and values; the name of the service in its own variable goes first", () => {
    const more = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20YTpi==, x-team = a,",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=listed,region=eu%2Cwest,empty=",
    };
    const traces = read(more);
    assertEquals(traces?.headers, { "Authorization": "Basic YTpi==", "x-team": "a" });
    assertEquals(traces?.resourceAttributes, { region: "eu,west", empty: "" });
    assertEquals(traces?.serviceName, "listed");
    assertEquals(read({ ...more, OTEL_SERVICE_NAME: "ours" })?.serviceName, "ours");
  });

  await t.step("what is malformed is named, and never quoted", () => {
    for (
      const [name, value] of [
        ["OTEL_EXPORTER_OTLP_ENDPOINT", "otel-secret"],
        ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://user:secret@otel.example.com"],
        ["OTEL_EXPORTER_OTLP_HEADERS", "secret"],
        ["OTEL_EXPORTER_OTLP_HEADERS", "a=secret%"],
        ["OTEL_EXPORTER_OTLP_HEADERS", "a=secret%0d%0ab:c"],
        ["OTEL_EXPORTER_OTLP_HEADERS", "a b=secret"],
        ["OTEL_RESOURCE_ATTRIBUTES", "=secret"],
      ] as const
    ) {
      const error = assertThrows(() => read({ ...endpoint, [name]: value }), Error, name);
      assert(!error.message.includes("secret"), error.message);
    }
  });
});
