import { assert, assertEquals, assertMatch } from "deno-std/assert/mod.js";
import { join } from "deno-std/path/mod.js";
import { gatewayOf } from "../support/client.ts";
import { createTenant } from "../support/project.ts";
import { serve } from "../support/serve.ts";
import { type Service, startService } from "../support/service.ts";

const program = join(import.meta.dirname!, "../../shared/terminal/main.ts");

/** Runs `npm run chat`'s program with lines typed at it, and returns what it printed. */
async function type(service: Service, env: Record<string, string>, lines: string[]) {
  await using project = serve(gatewayOf(service.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--frozen", "-A", program],
    env: { BASE_URL: project.url, ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, printed: decode(stdout), complaints: decode(stderr) };
}

Deno.test("npm run chat", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const env = { API_KEY: tenant.apiKey, COACH_ID: tenant.coachId };

  await t.step("prints the answers, and keeps to one thread until /new", async () => {
    const texts = ["First answer.", "Second answer.", "Third answer."];
    service.model.script(tenant.modelName, ...texts.map((text) => ({ steps: [{ text }] })));
    const { code, printed, complaints } = await type(service, env, ["One", "", "Two", "/new", "Three", "/threads"]);
    assertEquals([code, complaints], [0, ""]);
    assertEquals(printed.split("\n").slice(1), [
      "First answer.",
      "Second answer.",
      "A new conversation begins.",
      "Third answer.",
      "* 1  Three",
      "  2  One",
      "",
    ]);
    assertEquals(service.model.requestsOf(tenant.modelName).map(({ body }) => body.input?.length), [1, 3, 1]);
  });

  await t.step("continues an earlier conversation", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Fourth answer." }] });
    const { printed } = await type(service, env, ["/open 2", "/threads", "/open 2", "Go on"]);
    assertEquals(printed.split("\n").slice(1), [
      "Which one? List them with /threads first.",
      "  1  Three",
      "  2  One",
      "> One",
      "First answer.",
      "> Two",
      "Second answer.",
      "Fourth answer.",
      "",
    ]);
  });

  await t.step("other users' conversations are not listed", async () => {
    const { printed } = await type(service, { ...env, USER_ID: "another user" }, ["/threads"]);
    assertMatch(printed, /You have no conversations with this coach yet\./);
  });

  await t.step("uploads a file, and names it as the source of the next answer", async () => {
    const folder = await Deno.makeTempDir();
    const file = join(folder, "The owl.md");
    await Deno.writeTextFile(file, "Owls hunt by ear.");
    await Deno.writeTextFile(join(folder, "owl.rtf"), "x");
    const { printed } = await type(service, env, [`/upload ${file}`, `/upload ${join(folder, "owl.rtf")}`]);
    assertMatch(printed, /The owl\.md is uploaded/);
    assertMatch(printed, /owl\.rtf: The file type is not supported/);
    await service.turns();
    service.model.script(tenant.modelName, { steps: [{ text: "By ear." }] });
    const answered = await type(service, env, ["How do owls hunt?"]);
    assertMatch(answered.printed, /By ear\.\n {2}\(from The owl\.md\)\n/);
    await Deno.remove(folder, { recursive: true });
  });

  await t.step("an error is printed as a sentence, and the conversation continues", async () => {
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] }, { steps: [{ text: "Well again." }] });
    const lines = ["Fail", "/upload /no/such/file", "/nonsense", "Go on", "/quit", "not asked any more"];
    const { code, printed } = await type(service, env, lines);
    assertEquals(code, 0);
    assertMatch(printed, /The language model is unavailable\n[^]*No such file[^]*\/upload FILE[^]*Well again\.\n$/);
    assert(!printed.includes("at file:"), printed);
    const refused = await type(service, { ...env, API_KEY: "x" }, ["Hi"]);
    assertMatch(refused.printed, /Invalid API key/);
  });

  await t.step("without the service's address it says which variable to set", async () => {
    const { code, complaints } = await type(service, { BASE_URL: "" }, []);
    assertEquals(code, 1);
    assertMatch(complaints, /npm start/);
  });
});
