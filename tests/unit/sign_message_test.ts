import { Webhook } from "standardwebhooks";
import { signMessage } from "../../shared/features/webhooks/post_message.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("a message is signed as the package of the specification signs it", () => {
  const secret = `whsec_${btoa(String.fromCharCode(...Array.from({ length: 32 }, (_, place) => place * 8)))}`;
  for (const body of ["", "{}", '{"type":"feedback.down","data":{"name":"Grüße, 猫 👋"}}', "x".repeat(100_000)]) {
    const seconds = 1_790_000_000;
    const expected = new Webhook(secret).sign("msg_1", new Date(seconds * 1_000), body);
    assertEquals(signMessage({ id: "msg_1", seconds, body }, secret), expected);
  }
});
