import { join } from "node:path";
import { createClient } from "../../shared/clients/client/client.ts";
import { createTerminal } from "../../shared/clients/terminal/terminal.ts";
import { wrapWords } from "../../shared/clients/terminal/wrap_words.ts";
import { assertEquals, assertMatch } from "../support/assert.ts";
import { setBudget } from "../support/budgets.ts";
import { gatewayOf } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile } from "../support/knowledge.ts";
import { createCoach, createTenant, issueKey, issuePublishableKey, operator } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { serve } from "../support/serve.ts";
import { type Service, startService } from "../support/service.ts";

const program = join(import.meta.dirname!, "../../shared/clients/terminal/main.ts");

/** Runs the program of `npm run chat` with typed lines, and returns its output. */
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

/** The output after the greeting. */
function linesOf(printed: string): string[] {
  const [, rest = printed] = printed.split("Type a message, or /help.\n");
  return rest.split("\n");
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const tenant = await createTenant();
  const env = { API_KEY: tenant.apiKey, COACH_ID: tenant.coachId };
  return handOver(stack, { service, tenant, env });
}

Deno.test("npm run chat", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, env } = prepared;

  await t.step("prints the answers, and keeps to one thread until /new", async () => {
    const texts = ["First answer.", "Second answer.", "Third answer."];
    service.model.script(tenant.modelName, ...texts.map((text) => ({ steps: [{ text }] })));
    const { code, printed, complaints } = await type(service, env, ["One", "", "Two", "/new", "Three", "/threads"]);
    assertEquals([code, complaints], [0, ""]);
    assertEquals(linesOf(printed), [
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
    const { printed } = await type(service, env, ["/open 2", "/threads", "/open 9", "/open x", "/open 2", "Go on"]);
    assertEquals(linesOf(printed), [
      "Which one? List them with /threads first.",
      "  1  Three",
      "  2  One",
      "There is no conversation 9.",
      "Which one? List them with /threads first.",
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
    assertMatch(printed, /The owl\.md was uploaded/);
    assertMatch(printed, /owl\.rtf: The file type is not supported/);
    await service.turns();
    service.model.script(tenant.modelName, { steps: [{ text: "By ear [1]." }] });
    const answered = await type(service, env, ["How do owls hunt?"]);
    assertMatch(answered.printed, /By ear \[1\]\.\n {2}\(from \[1\] The owl\.md\)\n/);
    await Deno.remove(folder, { recursive: true });
  });

  await t.step("takes the path of a file as a terminal writes one that is dragged into it", async () => {
    const other = await createTenant();
    const folder = await Deno.makeTempDir();
    const names = ["two words.md", "a (copy).md", "it's.md", "don't.md", "plain.md", "\u05d1\u05d9\u05ea.md"];
    for (const name of names) await Deno.writeTextFile(join(folder, name), "Text.");
    const lines = [
      `"${folder}/two words.md"`,
      `${folder}/a\\ \\(copy\\).md`,
      `'${folder}/it'\\''s.md' `,
      `${folder}/don't.md`,
      `${folder}/plain.md`,
      `${folder}/${names[5]}`,
      `"${folder}/not there.md"`,
    ];
    const { printed } = await type(
      service,
      { API_KEY: other.apiKey, COACH_ID: other.coachId },
      lines.map((line) => `/upload ${line}`),
    );
    assertEquals(linesOf(printed), [
      ...names.slice(0, 5).map((name) => `${name} was uploaded. The coach can use it in a moment.`),
      // Isolated, since its letters are written from right to left.
      `\u2068${names[5]}\u2069 was uploaded. The coach can use it in a moment.`,
      `There is no file ${folder}/not there.md.`,
      "",
    ]);
    await Deno.remove(folder, { recursive: true });
  });
});

Deno.test("npm run chat: what goes wrong", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, env } = prepared;

  await t.step("an error is printed as a sentence, and the conversation continues", async () => {
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] }, { steps: [{ text: "Well again." }] });
    const lines = ["Fail", "/upload /no/such/file", "/nonsense", "Go on", "/quit", "not asked any more"];
    const { code, printed } = await type(service, env, lines);
    assertEquals(code, 0);
    assertEquals(linesOf(printed), [
      "",
      sentenceOf("model_unavailable"),
      "There is no file /no/such/file.",
      "Unknown command /nonsense. Type /help to see all commands.",
      "Well again.",
      "",
    ]);
  });

  await t.step("a conversation that cannot begin ends at once, with a sentence", async () => {
    const { publishableKey } = await issuePublishableKey(tenant.accountId);
    for (
      const [wrong, sentence] of [
        [{ API_KEY: "x" }, "The service does not know this API key. Set API_KEY to one of its keys."],
        [
          { API_KEY: publishableKey },
          "API_KEY is a publishable key, which only works in pages. Set it to a secret key, hi_live_….",
        ],
        [{ BASE_URL: "http://127.0.0.1:1" }, "The service cannot be reached at http://127.0.0.1:1."],
        [
          { BASE_URL: "app.example.com" },
          "BASE_URL must be an address like https://<ref>.supabase.co, not app.example.com.",
        ],
        [
          { BASE_URL: "localhost:54321" },
          "BASE_URL must be an address like https://<ref>.supabase.co, not localhost:54321.",
        ],
        [{ COACH_ID: "nobody" }, sentenceOf("coach_not_found")],
      ] as const
    ) {
      assertEquals(await type(service, { ...env, ...wrong }, ["Hi"]), {
        code: 1,
        printed: "",
        complaints: `${sentence}\n`,
      });
    }
  });

  await t.step("what is wrong with the limit or the address is a sentence too", async () => {
    const { apiKey } = await issueKey(tenant.accountId, { requests_per_minute: 1 });
    const { code, printed } = await type(service, { ...env, API_KEY: apiKey }, ["/files", "/threads"]);
    assertEquals(code, 0);
    assertMatch(printed, /(\nToo many requests\. Try again in \d+ seconds?\.\n){2}$/);
  });

  await t.step("a budget that is used up is a sentence with the date", async () => {
    const budget = await setBudget(tenant, { amount: 1 });
    const { printed } = await type(service, env, ["Hi"]);
    await operator.rpc("remove_budget", { budget: budget.id }).throwOnError();
    assertMatch(printed, /\nThe budget for this conversation is used up\. It is renewed on .+\d.+\.\n$/);
  });

  await t.step("an answer that is stopped says so on a line of its own", async () => {
    await using project = serve(gatewayOf(service.url));
    const goOn = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, { steps: [{ text: "Once upon " }, { waitFor: goOn.promise }] });
    let printed = "";
    const isShown = Promise.withResolvers<void>();
    const output = wrapWords((text) => {
      printed += text;
      if (printed.endsWith("Once")) isShown.resolve();
    }, () => undefined);
    const terminal = createTerminal({
      client: createClient({ baseUrl: project.url, apiKey: tenant.apiKey }),
      coachId: tenant.coachId,
      userId: "a user who stops",
      messages: ReadableStream.from(["Tell me a story"]),
      output,
      readFile: () => Promise.reject(new Error("No file is asked for")),
    });
    const ended = terminal.run();
    await isShown.promise;
    assertEquals(terminal.interrupt(), true);
    assertEquals(await ended, null);
    assertEquals(terminal.interrupt(), false);
    goOn.resolve();
    assertMatch(printed, /\nOnce[^\n]*\n\(stopping\)\n/);
  });
});

Deno.test("npm run chat: the coach, the expert and the conversations", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, env } = prepared;

  await t.step("begins with the coach's greeting and starters", async () => {
    const { id } = await createCoach(tenant.accountId, {
      name: "Grace Hopper",
      title: "Navy Coach",
      greeting: "Welcome aboard.\nWhat is it?",
      starters: ["Who are you?", "What is a bug?"],
    });
    assertEquals((await type(service, { ...env, COACH_ID: id }, [])).printed.split("\n"), [
      "Grace Hopper, Navy Coach (an AI)",
      "",
      "Welcome aboard.",
      "What is it?",
      "",
      "You could ask:",
      "  - Who are you?",
      "  - What is a bug?",
      "",
      "Type a message, or /help.",
      "",
    ]);
    assertMatch((await type(service, env, [])).printed, /^Ada Byron, Mathematics Coach \(an AI\)\n\nType a message/);
  });

  await t.step("tells what the expert has written from what the model has", async () => {
    const tenant = await createTenant({ scopes: ["chat", "threads:read", "expert"] });
    await using project = serve(gatewayOf(service.url));
    const client = createClient({ baseUrl: project.url, apiKey: tenant.apiKey });
    await client.createPinnedAnswer(tenant.coachId, { question: "Why owls?", answer: "I like them." });
    const env = { API_KEY: tenant.apiKey, COACH_ID: tenant.coachId };
    service.model.script(tenant.modelName, { steps: [{ text: "By the model." }] });
    const first = await type(service, env, ["Why owls?", "What else is there?"]);
    assertEquals(linesOf(first.printed).slice(0, 2), ["I like them.", "  (from the expert's answer to “Why owls?”)"]);
    const { data: [thread] } = await client.listThreads("terminal");
    await client.sayAsExpert(thread!.id, { content: "Ask me." });
    const { printed } = await type(service, env, ["/threads", "/open 1", "Are you there?"]);
    assertEquals(linesOf(printed).slice(1), [
      "> Why owls?",
      "(in person) I like them.",
      "> What else is there?",
      "By the model.",
      "(in person) Ask me.",
      "Your message has arrived. You will get an answer in person.",
      "",
    ]);
  });

  await t.step("asks in person, shows how far that is, and the answer with its question", async () => {
    const tenant = await createTenant();
    const expert = await issueKey(tenant.accountId, { scopes: ["threads:read", "expert"] });
    const env = { API_KEY: tenant.apiKey, COACH_ID: tenant.coachId };
    await using project = serve(gatewayOf(service.url));
    const desk = createClient({ baseUrl: project.url, apiKey: expert.apiKey });
    service.model.script(tenant.modelName, { steps: [{ text: "I do not know." }] });
    const typed = ["/ask", "/asked", "Is it far?", "/ask", "/ask May I come?", "/asked", "/take-back", "/take-back"];
    assertEquals(linesOf((await type(service, env, [...typed, "/take-back"])).printed), [
      "There is no conversation yet. Send a message, or open one with /threads and /open.",
      "There is no conversation yet. Send a message, or open one with /threads and /open.",
      "I do not know.",
      "“Is it far?” was passed on. The answer will appear here.",
      "“May I come?” was passed on. The answer will appear here.",
      "  passed on: “May I come?”",
      "  passed on: “Is it far?”",
      "  taken back: “May I come?”",
      "  taken back: “Is it far?”",
      "Nothing waits for an answer in person here.",
      "",
    ]);

    service.model.script(tenant.modelName, { steps: [{ text: "Well." }] });
    await type(service, env, ["/threads", "/open 1", "/ask", "What else?"]);
    const { data: [thread] } = await desk.listConversations(tenant.coachId);
    assertEquals((await desk.listRequests(thread!.id)).data[0]!.question, "May I come?");
    const seen = await type(service, env, ["/threads", "/open 1", "/asked"]);
    assertMatch(seen.printed, / seen: “May I come\?”\n/);
    await desk.sayAsExpert(thread!.id, { content: "Gladly." });
    assertMatch(
      (await type(service, env, ["/threads", "/open 1"])).printed,
      /\n> May I come\?\n\(in person\) Gladly\.\n/,
    );

    // Told while the conversation is open, with what it answers.
    let printed = "";
    async function* messages() {
      yield* ["/threads", "/open 1", "/ask"];
      await desk.sayAsExpert(thread!.id, { content: "Nothing else." });
      printed = "";
      yield* ["/new", "/new"];
    }
    const output = { write: (text: string) => void (printed += text), flush: () => {} };
    const client = createClient({ baseUrl: project.url, apiKey: tenant.apiKey });
    const readFile = () => Promise.reject(new Error("There are no files"));
    await createTerminal({
      client,
      coachId: tenant.coachId,
      userId: "terminal",
      messages: messages(),
      output,
      readFile,
    })
      .run();
    assertEquals(printed.split("\n").slice(0, 2), ["(to “What else?”)", "(in person) Nothing else."]);
    assertEquals(printed.match(/Nothing else/g)?.length, 1);
  });

  await t.step("renames and deletes the conversation that is open, and no other", async () => {
    const own = { ...env, USER_ID: "renaming user" };
    service.model.script(tenant.modelName, ...["a", "b", "c"].map((text) => ({ steps: [{ text }] })));
    const lines = ["/rename X", "/delete", "One", "/rename", "/rename  My title ", "/new", "Two", "/threads"];
    assertEquals(linesOf((await type(service, own, lines)).printed), [
      ...Array(2).fill("There is no conversation yet. Send a message, or open one with /threads and /open."),
      "a",
      "Which title? Type /rename and a title.",
      "This conversation is now called My title.",
      "A new conversation begins.",
      "b",
      "* 1  Two",
      "  2  My title",
      "",
    ]);
    const deleting = ["/threads", "/open 2", `/rename ${"x".repeat(121)}`, "/delete", "/delete", "/threads", "Three"];
    const { printed } = await type(service, own, [...deleting, "/threads"]);
    const after = linesOf(printed).slice(4);
    assertEquals(after[0], "");
    assertMatch(after[1]!, /^title /);
    assertEquals(after.slice(2), [
      "The conversation “My title” was deleted. A new one begins.",
      "There is no conversation yet. Send a message, or open one with /threads and /open.",
      "  1  Two",
      "c",
      "* 1  Three",
      "  2  Two",
      "",
    ]);
    const { data } = await operator.from("threads").select("title").eq("coach_id", tenant.coachId)
      .eq("user_id", "renaming user").throwOnError();
    assertEquals(data.map(({ title }) => title).toSorted(), ["Three", "Two"]);
  });
});

Deno.test("npm run chat: files and settings", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, env } = prepared;

  await t.step("lists the coach's files with their state, and deletes one by number or name", async () => {
    const other = await createTenant();
    const own = { API_KEY: other.apiKey, COACH_ID: other.coachId };
    for (const name of ["2", "The owl.md", "The fox.md"]) await addFile(other, name, `About ${name}`);
    await addFile(tenant, "The fox.md", "Of another coach");
    const rows = async () =>
      (await operator.from("knowledge_files").select("name, coach_id").in("coach_id", [other.coachId, tenant.coachId])
        .throwOnError()).data.map(({ name, coach_id }) => `${coach_id === other.coachId ? "own" : "other's"} ${name}`)
        .toSorted();
    const before = await rows();
    const list = await type(service, own, ["/files", "/delete-file", "/delete-file owl.md", "/delete-file 4"]);
    const listed = linesOf(list.printed);
    assertEquals(listed.slice(0, 3).map((line) => line.replace(/^ {2}\d {2}(.*) \(.*\)$/, "$1")).toSorted(), [
      "2",
      "The fox.md",
      "The owl.md",
    ]);
    assertEquals(listed.slice(3), [...Array(3).fill("Which file? List them with /files first."), ""]);
    assertEquals(await rows(), before);

    const number = listed.findIndex((line) => line.includes("The owl.md")) + 1;
    const lines = ["/files", `/delete-file ${number}`, `/delete-file ${number}`, "/delete-file The fox.md"];
    const { printed } = await type(service, own, lines);
    assertEquals(linesOf(printed).slice(3), [
      "The owl.md is deleted.",
      "",
      sentenceOf("file_not_found"),
      "The fox.md is deleted.",
      "",
    ]);
    assertEquals(await rows(), before.filter((row) => row !== "own The owl.md" && row !== "own The fox.md"));
    const empty = await createTenant();
    const none = await type(service, { API_KEY: empty.apiKey, COACH_ID: empty.coachId }, ["/files"]);
    assertEquals(linesOf(none.printed), ["The coach has no files yet.", ""]);
  });

  await t.step("/source shows the passage of the last answer, between those around it", async () => {
    const coach = await createTenant();
    const own = { API_KEY: coach.apiKey, COACH_ID: coach.coachId };
    await addFile(
      coach,
      "Tides.pdf",
      { content: "Boats wait.", page: 1 },
      { content: "Harbours are deep.", page: 2 },
      { content: "Walruses doze at low tide.\nThen they swim.", page: 3, heading: "Rest" },
      { content: "Then they swim. Gulls do not.", page: 3 },
    );
    service.model.script(coach.modelName, { steps: [{ text: "At low tide [1]." }] });
    const lines = ["/source 1", "When do walruses doze?", "/source", "/source 7", "/source 1"];
    const { printed } = await type(service, own, lines);
    assertEquals(linesOf(printed), [
      "The last answer names no sources.",
      "At low tide [1].",
      "  (from [1] Tides.pdf)",
      "Which source? Type /source and its number.",
      "Which source? Type /source and its number.",
      "Tides.pdf, Rest, page 3",
      "",
      "…",
      "",
      "Harbours are deep.",
      "",
      "> Walruses doze at low tide.",
      "> Then they swim.",
      "",
      "Gulls do not.",
      "",
    ]);
  });

  await t.step("a folder is not uploaded, and neither is nothing", async () => {
    const folder = await Deno.makeTempDir();
    const { printed } = await type(service, env, ["/upload", `/upload ${folder}`]);
    assertEquals(linesOf(printed), [
      "Which file? Type /upload and the path of a file.",
      `${folder} is a folder. Upload its files one by one.`,
      "",
    ]);
    await Deno.remove(folder);
  });

  await t.step("without the service's address it says which variable to set", async () => {
    const { code, complaints } = await type(service, { BASE_URL: "" }, []);
    assertEquals(code, 1);
    assertMatch(complaints, /npm start/);
  });
});
