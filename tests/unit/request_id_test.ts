import { Hono } from "hono";
import { requestId } from "../../shared/http/follow_request.ts";
import { assertEquals, assertMatch } from "../support/assert.ts";

const app = new Hono<{ Variables: { requestId: string } }>().use(requestId()).get("/", (c) => c.text(c.var.requestId));

/** The request id in the reply's header and in the log when a caller sends `id`. */
async function idsOf(sent?: string): Promise<[header: string | null, logged: string]> {
  const reply = await app.request("/", { headers: sent === undefined ? {} : { "X-Request-Id": sent } });
  return [reply.headers.get("X-Request-Id"), await reply.text()];
}

const sane: Record<string, string> = {
  "a UUID": "0191d3a4-7c1e-7b52-9d0f-3a5b6c7d8e9f",
  "a UUID in capitals, behind a word": "TASK-0191D3A4-7C1E-7B52-9D0F-3A5B6C7D8E9F",
  "a UUID without its dashes": "0191d3a47c1e7b529d0f3a5b6c7d8e9f",
  "a ULID": "01J6YD8Z4QK3M9V7T2X5R1N0BC",
  "a KSUID": "2lHbW0qfX8sN6vYtRkP3mZcJ4aD",
  "a nanoid": "V1StGXR8_Z5jdHi6B-myT",
  "a trace of W3C": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  "a trace of AWS": "Root=1-67891233-abcdef012345678912345678",
  "a number": "1795319544123456789",
  "a word and a number": "req-123",
  "words that end as keys begin": "task-1_desk-2-risk-3-keyJohn",
  "a long one of many parts": "checkout-step_".repeat(18),
};

const keys: Record<string, string> = {
  "an API key": "hi_live_YfTJImobdPJ67QDRwEv9nBjbNBKwCwkQf9ea76",
  "an API key that was cut": "hi_live_YfTJIm",
  "an API key without its beginning": "YfTJImobdPJ67QDRwEv9nBjbNBKwCwkQf9ea76",
  "an API key in capitals": "HI_LIVE_YFTJIMOBDPJ67QDRWEV9NBJBNBKWCWKQF9EA76",
  "an API key with a name": "key=hi_live_YfTJImobdPJ67QDRwEv9nBjbNBKwCwkQf9ea76",
  "an API key inside a word": "requesthi_live_YfTJImobdPJ67QDRwEv9nBjbNBKwCwkQf9ea76",
  "a secret key of Supabase": "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz",
  "a publishable key": "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH",
  "an access token of Supabase": "sbp_0102030405060708091011121314151617181920",
  "a key of OpenAI": "sk-proj-a1b2",
  "a key of OpenAI behind a word": "id_sk-a1b2c3d4e5f6",
  "the head of a token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
  "the head of a token behind a word": "Bearer-eyJhbGciOiJIUzI1NiJ9",
  "a token in base64": "ZXlKaGJHY2lPaUpJVXpJMU5pSXNJblI1Y0NJNklrcFhWQ0o5",
};

const fresh = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

Deno.test("the caller's request id is kept when it is acceptable and holds no key", async (t) => {
  for (const [name, id] of Object.entries(sane)) {
    await t.step(`${name} is kept`, async () => assertEquals(await idsOf(id), [id, id]));
  }
  for (
    const [name, key] of Object.entries({ ...keys, "nothing": "", "a blank": "a b", "300 letters": "a-".repeat(150) })
  ) {
    await t.step(`${name} is replaced by a new id`, async () => {
      const [header, logged] = await idsOf(key);
      assertMatch(logged, fresh);
      assertEquals(header, logged);
    });
  }
  await t.step("without an id each request gets a new one", async () => {
    const [[first], [second]] = await Promise.all([idsOf(), idsOf()]);
    assertEquals(first === second, false);
  });
});
