import { readDestination, readName } from "../../shared/clients/page/consent/describe_app.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("the name of an app is one short line of text", async (t) => {
  const cases: [name: string | undefined, shown: string | null][] = [
    ["Claude", "Claude"],
    ["  Claude\n\n Code\t", "Claude Code"],
    ["كلود", "كلود"],
    ["クロード 🤖", "クロード 🤖"],
    [undefined, null],
    ["", null],
    [" \u200b\u2800\u3164\u00ad ", null],
    // Written from right to left, this would be shown as another name.
    ["\u202eedualC\u202c", "edualC"],
    ["Claude\u2066\u202e has been verified", "Claude has been verified"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    [`C${"\u0301".repeat(40)}laude`, "C\u0301\u0301laude"],
    ["x".repeat(60), "x".repeat(60)],
    ["x".repeat(61), `${"x".repeat(59)}…`],
    ["🤖".repeat(1_000), `${"🤖".repeat(59)}…`],
  ];
  for (const [name, shown] of cases) {
    await t.step(JSON.stringify(name)?.slice(0, 60) ?? "none", () => assertEquals(readName(name), shown));
  }
});

Deno.test("the place that an app sends people to", async (t) => {
  const cases: [address: string | undefined, kind: string | null, name?: string][] = [
    ["https://claude.ai/api/mcp/auth_callback", "site", "claude.ai"],
    ["https://example.com:8443/", "site", "example.com:8443"],
    // What comes before the @ is no host.
    ["https://bank.example@evil.example/", "site", "evil.example"],
    ["https://bank.example\\@evil.example/", "site", "bank.example"],
    // A letter of another script that looks like an a.
    ["https://\u0430pple.example/", "site", "xn--pple-43d.example"],
    ["https://localhost.evil.example/", "site", "localhost.evil.example"],
    ["http://localhost:7777/callback", "device", "localhost:7777"],
    ["http://127.0.0.1/callback", "device", "127.0.0.1"],
    ["http://[::1]:80/", "device", "[::1]"],
    ["https://localhost:3000/", "device", "localhost:3000"],
    ["cursor://anysphere.cursor-mcp/oauth", "scheme", "cursor"],
    ["com.example.app:/callback", "scheme", "com.example.app"],
    ["http://example.com/callback", null],
    ["http://127.0.0.1.evil.example/", null],
    ["javascript:alert(1)", null],
    ["JaVaScRiPt:alert(1)", null],
    ["java\nscript:alert(1)", null],
    [" javascript:alert(1)", null],
    ["data:text/html,<script>alert(1)</script>", null],
    ["vbscript:x", null],
    ["blob:https://example.com/1", null],
    ["file:///etc/passwd", null],
    ["view-source:https://example.com", null],
    ["about:blank", null],
    ["/callback", null],
    ["", null],
    [undefined, null],
  ];
  for (const [address, kind, name] of cases) {
    await t.step(JSON.stringify(address) ?? "none", () => {
      assertEquals(readDestination(address), kind === null ? null : { kind, name });
    });
  }
});
