import { join } from "node:path";
import { createMailPage, listMails, startMailCatcher } from "../../../supabase/platform/mail_catcher.ts";
import { readMailServer } from "../../../shared/infra/env.ts";
import { createSmtpSender } from "../../../shared/libs/mail/smtp.ts";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";

// The mail server of the stack runs as long as its process.
const endless = { sanitizeOps: false, sanitizeResources: false };

Deno.test("mails that the stack has caught", endless, async (t) => {
  const parent = await Deno.makeTempDir({ prefix: "human-intelligence-chat-" });
  const folder = join(parent, "mails");
  const { url } = await startMailCatcher(folder);
  const page = createMailPage(folder);
  const ask = (path: string, init?: RequestInit) => page(new Request(`http://127.0.0.1:54321${path}`, init));
  const textOf = async (path: string) => await (await ask(path)).text();

  await t.step("there are none at first", async () => assertMatch(await textOf("/mails"), /No mail has been sent yet/));

  const variables: Record<string, string> = { SMTP_URL: url, MAIL_FROM: "Human chat <no-reply@localhost>" };
  const hostile = "<script>alert(1)</script>";
  const outcome = await createSmtpSender(readMailServer((name) => variables[name] ?? null)!)({
    id: "1",
    to: "ada@example.com",
    subject: `Hi ${hostile}`,
    text: `See https://a.example/?x=1&y=2#z and ${hostile}`,
    html: `<!doctype html><html><head></head><body><a href="https://a.example/">Open</a>${hostile}</body></html>`,
    date: new Date(),
    headers: {},
  }, AbortSignal.timeout(5_000));
  const [name] = listMails(folder);

  await t.step("a mail is a file, listed with its recipient and subject", async () => {
    assertEquals([outcome, listMails(folder).length], [{ kind: "sent" }, 1]);
    const list = await textOf("/mails/");
    assert(list.includes(`<a href="/mails/${name}">Hi &lt;script&gt;alert(1)&lt;/script&gt;</a>`));
    assert(list.includes("ada@example.com"));
    const file = await ask(`/mails/${name}.eml`);
    assertEquals(file.headers.get("Content-Type"), "message/rfc822");
    assertMatch(await file.text(), /^To: ada@example\.com\r$/m);
  });

  await t.step("it is shown with both parts and its headers, and nothing of it runs", async () => {
    const shown = await ask(`/mails/${name}`);
    const html = await shown.text();
    assertEquals(/<script/.test(html), false);
    assert(html.includes('<a href="https://a.example/?x=1&amp;y=2#z" target="_blank" rel="noopener noreferrer">'));
    assertMatch(html, /<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    assertMatch(shown.headers.get("Content-Security-Policy") ?? "", /^default-src 'none'; style-src/);
    assertMatch(html, /Message-ID: &lt;1@localhost&gt;/);

    const part = await ask(`/mails/${name}/html`);
    const policy = part.headers.get("Content-Security-Policy") ?? "";
    assertMatch(policy, /^default-src 'none'/);
    assertMatch(policy, /sandbox allow-popups allow-popups-to-escape-sandbox$/);
    assertMatch(await part.text(), /<base target="_blank">/);
  });

  await t.step("nothing else is served, and only on this machine", async () => {
    const paths = [
      "/mails/none",
      "/mails/none.eml",
      "/mails/..%2Fsecrets",
      "/mails/a/b",
      `/mails/${name}/x`,
      "/mails/.eml",
    ];
    for (const path of paths) {
      const response = await ask(path);
      await response.body?.cancel();
      assertEquals(response.status, 404, path);
    }
    assertEquals((await page(new Request("http://evil.example/mails"))).status, 403);
    assertEquals((await ask("/mails", { method: "POST" })).status, 405);
  });
  await Deno.remove(parent, { recursive: true });
});
