/// <reference lib="dom" />
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { addFile, rowsOf, updateRow, uploadAndIndex } from "../support/knowledge.ts";
import { createTenant, createUser, operator } from "../support/project.ts";
import { createWav } from "../support/sample_documents.ts";
import { onceARun } from "../support/slow.ts";
import { answers, button, composer, endedAnswers, say, script } from "./chat.ts";
import { embed } from "./embed.ts";
import { findBarriers } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { addBook, bodyOf, book, hashOf, idOf, linkTo, waitForHash } from "./reader.ts";
import { markedIn, readerOf } from "./reader_window.ts";
import { openSite, visit } from "./site.ts";
import { en, fill } from "./texts.ts";

Deno.test("a link to a source", async (t) => {
  await using site = await openSite({ sources_are_open: true }, undefined, { hasCards: true });
  const { tenant } = site;
  const { fileId, passageId } = await addBook(tenant);
  const link = linkTo(tenant, fileId, passageId);

  await t.step("opens the reader for somebody who has never been here, and closing it leaves the chat", async () => {
    await using visitor = await visit(site.url + link);
    const { page } = visitor;
    await markedIn(page).getByText("helps you sleep at night").waitFor();
    await page.keyboard.press("Escape");
    await readerOf(page).waitFor({ state: "detached" });
    await page.getByText("Hello, I am Ada.").first().waitFor();
    await waitForHash(page, "");
    assertEquals(visitor.errors, []);
  });

  await t.step("that is typed into an open page opens it there; Back leads back", async () => {
    await using visitor = await visit(site.url);
    const { page } = visitor;
    await composer(page).fill("What I was about to say");
    await page.evaluate((link) => location.hash = link, link);
    await markedIn(page).waitFor();
    await page.evaluate((link) => location.hash = link, linkTo(tenant, fileId, "0".repeat(32)));
    await readerOf(page).getByText(en.reader.passageGone).waitFor();
    await page.goBack();
    await markedIn(page).waitFor();
    await page.keyboard.press("Escape");
    await readerOf(page).waitFor({ state: "detached" });
    await waitForHash(page, "");
    assertEquals(await composer(page).inputValue(), "What I was about to say");
  });

  await t.step("to what does not exist, or is somebody else's, says so calmly", async () => {
    const other = await createTenant({}, { sources_are_open: true });
    const foreign = await addBook(other);
    const unknown = crypto.randomUUID();
    for (
      const link of [
        linkTo(tenant, unknown, passageId),
        linkTo(tenant, foreign.fileId, foreign.passageId),
        linkTo(other, foreign.fileId, foreign.passageId),
        linkTo(tenant, "none", "%2e%2e%2f"),
      ]
    ) {
      await using visitor = await visit(site.url + link);
      const { page } = visitor;
      await readerOf(page).getByRole("alert").getByText(en.reader.fileGone).waitFor();
      const { offsetHeight, outline } = await bodyOf(page).evaluate((it: HTMLElement) => ({
        offsetHeight: it.offsetHeight,
        outline: getComputedStyle(it).outlineStyle,
      }));
      assertEquals([offsetHeight, outline], [0, "none"], "no empty box is shown");
      assertEquals(await markedIn(page).count(), 0, link);
      await page.keyboard.press("Escape");
      await page.getByText("Hello, I am Ada.").first().waitFor();
      assertEquals(visitor.errors, []);
    }
  });

  await t.step("that is cut off or malformed opens nothing", async () => {
    for (const link of ["#source=", `#source=${tenant.coachId}/${fileId}`, "#source=%E0%A4%A/b/c"]) {
      await using visitor = await visit(site.url + link);
      await visitor.page.getByText("Hello, I am Ada.").first().waitFor();
      assertEquals([await readerOf(visitor.page).count(), visitor.errors], [0, []], link);
    }
  });

  await t.step("a passage of a closed coach cannot be read with it", async () => {
    await operator.from("coach_profiles").update({ sources_are_open: false }).eq("id", tenant.coachId).throwOnError();
    await using visitor = await visit(site.url + link);
    await readerOf(visitor.page).getByText(en.reader.fileGone).waitFor();
    assertEquals(await visitor.page.getByText("helps you sleep").count(), 0);
  });
});

Deno.test("a source of a recording plays from where it is said", async (t) => {
  const env = { OPENAI_TRANSCRIPTION_MODEL: "whisper-1" };
  await using site = await openSite({ sources_are_open: true }, undefined, { hasPictures: true, env });
  const { tenant, service } = site;
  const said = (start: number) => ({ start, end: start + 20, text: ` Owls hunt at night, part ${start}.`.repeat(20) });
  service.model.scriptTranscription("whisper-1", { text: "Owls", segments: [0, 20, 40, 60, 80].map(said) });
  await uploadAndIndex(service, tenant, ["owls.wav", createWav(100)]);
  const [{ id: fileId } = { id: "" }] = await rowsOf(tenant.coachId);
  const { sections } = await clientOf(service, tenant).getFile(tenant.coachId, fileId);
  await using visitor = await visit(site.url + linkTo(tenant, fileId, sections[1]!.passage_id));
  const { page } = visitor;
  const player = readerOf(page).locator("audio");
  const reach = (seconds: number) =>
    player.evaluate(async (it: HTMLAudioElement, seconds) => {
      while (it.readyState === 0 || it.seeking || Math.floor(it.currentTime) < seconds) {
        await new Promise((resolve) => it.addEventListener("timeupdate", resolve, { once: true }));
      }
      return { place: Math.floor(it.currentTime), isPlaying: !it.paused };
    }, seconds);

  await t.step("at its minute, without a sound until somebody wants one", async () => {
    await player.waitFor();
    assertEquals(await reach(60), { place: 60, isPlaying: false });
  });

  await t.step("a minute of the recording plays it from there", async () => {
    await button(readerOf(page).locator(".minutes"), fill(en.reader.playFrom, { time: "0:00" })).click();
    const { place, isPlaying } = await reach(0);
    assertEquals([place < 30, isPlaying], [true, true]);
  });

  await t.step("when its address has expired, it goes on with another one", async () => {
    const before = await player.getAttribute("src");
    await page.clock.install();
    await page.clock.fastForward("01:10");
    await player.evaluate((it: HTMLAudioElement) => {
      it.pause();
      it.currentTime = 42;
      it.dispatchEvent(new Event("error"));
    });
    await page.waitForFunction(
      ([it, before]) => (it as HTMLAudioElement).getAttribute("src") !== before,
      [await player.elementHandle(), before] as const,
    );
    assertEquals((await reach(42)).place, 42);
    assertEquals(visitor.errors, []);
  });
});

Deno.test("the reader of a coach whose sources are closed, and in an element", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const { fileId, passageId } = await addBook(tenant);
  const link = linkTo(tenant, fileId, passageId);

  await t.step("closed: a source is quoted, and nothing else is asked for", async () => {
    await using visitor = await visit(site.url);
    const { page } = visitor;
    const asked: string[] = [];
    page.on("request", (request) => /knowledge-handler/.test(request.url()) && asked.push(request.url()));
    script(site, "Keep it cold [1].");
    await say(page, "How cold is a bedroom at night?");
    await endedAnswers(page).getByText("Keep it cold").waitFor();
    const hash = hashOf(page);
    await button(answers(page), /House\.md/).click();
    const reader = readerOf(page);
    assertEquals(await reader.locator("blockquote").innerText(), "A **cold** bedroom helps you sleep at night.");
    assertEquals(await reader.getByRole("button").allInnerTexts(), [""], "only the one that closes it");
    assertEquals([hashOf(page), asked, visitor.errors], [hash, [], []]);
    await page.keyboard.press("Escape");
    await reader.waitFor({ state: "detached" });
  });

  await t.step("an element whose site signs people in opens a link after that", async () => {
    await operator.from("coach_profiles").update({ sources_are_open: true }).eq("id", tenant.coachId).throwOnError();
    const { accessToken } = await createUser();
    await using other = await embed(site, "<human-chat {{settings}} links></human-chat>", {
      hasOwnLogin: true,
      script: `let token = null;
        const chat = document.querySelector("human-chat");
        chat.accessToken = async () => token;
        addEventListener("signed-in", () => { token = ${JSON.stringify(accessToken)}; });`,
    });
    await using visitor = await visit(other.url + link);
    const { page } = visitor;
    await page.getByText(en.chat.siteSignedOut).waitFor();
    assertEquals(await readerOf(page).count(), 0);
    await page.evaluate(() => dispatchEvent(new Event("signed-in")));
    await button(page, en.shared.retry).click();
    await markedIn(page).waitFor();
    assertEquals([hashOf(page), visitor.errors], [link, []]);
  });

  await t.step("an element on somebody else's page reads, and leaves the address alone", async () => {
    await using other = await embed(site, "<human-chat {{settings}}></human-chat>");
    await using visitor = await visit(other.url);
    const { page } = visitor;
    script(site, "Keep it cold [1].");
    await say(page, "How cold is a bedroom at night?");
    await button(answers(page), /House\.md/).click();
    await markedIn(page).waitFor();
    assertEquals(page.url(), other.url);
    await page.keyboard.press("Escape");
    await readerOf(page).waitFor({ state: "detached" });
    assertEquals([page.url(), visitor.errors], [other.url, []]);
  });
});

Deno.test("the reader and a bad network", async (t) => {
  await using site = await openSite({ sources_are_open: true });
  const { fileId, passageId } = await addBook(site.tenant);
  await using visitor = await visit(site.url);
  const { page } = visitor;
  const [reader, marked] = [readerOf(page), markedIn(page)];
  await page.getByText("Hello, I am Ada.").first().waitFor();
  script(site, "Keep it cold [1].");
  await say(page, "How cold is a bedroom at night?");
  await endedAnswers(page).getByText("Keep it cold").waitFor();
  const passages = `**/${fileId}/passages/${passageId}?*`;

  await t.step("a slow one: the quote is there at once, and the window can be closed", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(passages, async (route) => (await promise, route.continue().catch(() => {})));
    await button(answers(page), /House\.md/).click();
    await reader.getByRole("status").getByText(en.shared.loading).waitFor();
    await reader.locator("blockquote").getByText("helps you sleep").waitFor();
    await page.keyboard.press("Escape");
    await reader.waitFor({ state: "detached" });
    await button(answers(page), /House\.md/).click();
    await reader.getByRole("status").getByText(en.shared.loading).waitFor();
    resolve();
    await marked.waitFor();
    await page.unroute(passages);
  });

  await t.step("what was read stays if more cannot be read, which can be tried again", async () => {
    await page.route(passages, (route) => route.abort());
    await button(reader, en.reader.moreAfter).click();
    await reader.getByRole("alert").getByText(en.shared.unreachable).waitFor();
    assertEquals(await marked.count(), 1);
    await page.unroute(passages);
    await button(reader, en.shared.retry).click();
    await bodyOf(page).getByText("Sentence 3 ").waitFor();
    assertEquals(await reader.getByRole("alert").count(), 0);
    await page.keyboard.press("Escape");
    await reader.waitFor({ state: "detached" });
  });

  await t.step("a failure at first, and once more, is not the end", async () => {
    let failures = 2;
    await page.route(passages, (route) => failures-- > 0 ? route.fulfill({ status: 500, json: {} }) : route.continue());
    await button(answers(page), /House\.md/).click();
    for (const _ of [1, 2]) {
      await reader.getByRole("alert").getByText(en.chat.trouble).waitFor();
      await button(reader, en.shared.retry).click();
    }
    await marked.waitFor();
  });

  await t.step("the address of a recording that comes late is not that of the next source", async () => {
    const recording = await addFile(site.tenant, "Talk.wav", ...book);
    await updateRow(recording, { content_type: "audio/wav" });
    const { promise, resolve } = Promise.withResolvers<void>();
    const address = `**/${recording}/content*`;
    await page.route(address, async (route) => {
      await promise;
      await route.fulfill({ json: { url: `${site.url}talk.wav`, expires_at: "2099-01-01T00:00:00.000Z" } });
    });
    const more = async () => {
      await button(reader, en.reader.moreAfter).click();
      await reader.locator(".more[aria-disabled=true]").first().waitFor({ state: "detached" });
    };
    await page.evaluate((hash) => location.hash = hash, linkTo(site.tenant, recording, passageId));
    await reader.getByRole("heading", { name: "Talk.wav" }).waitFor();
    await marked.waitFor();
    await more();
    await page.evaluate((hash) => location.hash = hash, linkTo(site.tenant, fileId, passageId));
    await reader.getByRole("heading", { name: "House.md" }).waitFor();
    await marked.waitFor();
    const replied = page.waitForResponse(address);
    resolve();
    await replied;
    await more();
    assertEquals(await reader.locator("audio").count(), 0);
  });
});

Deno.test("what is in a file stays words, and can be read by everybody", async (t) => {
  await using site = await openSite({ sources_are_open: true });
  const { tenant } = site;
  const attack = "globalThis.attacked = true";
  const hostile = [
    `<script>${attack}</script><img src="https://evil.example/pixel.png" onerror="${attack}">`,
    `![an image](https://evil.example/image.png) [a link](javascript:${attack}) [ref]\n\n[ref]: javascript:${attack}`,
    `<iframe srcdoc="<script>parent.attacked = true</script>"></iframe><style>* { display: none }</style>`,
    "\u202Eyad yb peels slwO\u202C \u2067 שלום",
    "```\nnever closed, 2 < 3 & 4",
  ].join("\n\n");
  const filename = `\u202Egpj.<img src=x onerror=${attack}>.md`;
  const passages = [
    { content: `Before. ${hostile}` },
    { content: `Owls sleep by day. ${hostile}\n\n${"long".repeat(900)}`, heading: `<b onclick="${attack}">Owls</b>` },
    { content: `After. ${hostile}` },
  ];
  const links: string[] = [];
  for (const content_type of ["text/markdown", "text/plain"]) {
    const fileId = await addFile(tenant, filename, ...passages);
    await updateRow(fileId, { content_type });
    links.push(linkTo(tenant, fileId, idOf(passages[1]!)));
  }

  for (const [place, kind] of ["Markdown", "plain text"].entries()) {
    await t.step(`hostile ${kind} does nothing`, async () => {
      await using visitor = await visit(site.url + links[place], { viewport: { width: 390, height: 844 } });
      const { page } = visitor;
      await markedIn(page).getByText("Owls sleep by day.").waitFor();
      const tags = await bodyOf(page).evaluate((
        it,
      ) => [...new Set([...it.querySelectorAll("*")].map((one) => one.localName))]);
      const harmless = ["p", "div", "section", "bdi", "br", "pre", "code", "a"];
      assertEquals(tags.filter((tag) => !harmless.includes(tag)), []);
      assertEquals(await bodyOf(page).locator("a:not([href^='https:'])").count(), 0);
      await markedIn(page).getByText(`<script>${attack}</script>`).first().waitFor();
      assertEquals(await readerOf(page).getByRole("heading").locator("bdi").textContent(), filename);
      assertEquals(await page.evaluate(() => "attacked" in globalThis), false);
      assertEquals([...visitor.origins], [new URL(site.url).origin]);
      assertEquals(await bodyOf(page).evaluate((it) => it.scrollWidth > it.clientWidth), false);
      assertEquals(visitor.errors, []);
    });
  }

  await t.step("a web page is linked to, unless its address is none of the web's", async () => {
    const { fileId, passageId } = await addBook(tenant);
    const link = linkTo(tenant, fileId, passageId);
    for (
      const [source_url, isLinked] of [["https://example.com/house?a=1#b", true], [
        `javascript:${attack}`,
        false,
      ]] as const
    ) {
      await updateRow(fileId, { source_url, fetched_at: "2026-11-20T12:00:00Z" });
      await using visitor = await visit(site.url + link, { locale: "en-US" });
      await markedIn(visitor.page).waitFor();
      const shown = readerOf(visitor.page).getByRole("link");
      if (!isLinked) assertEquals(await shown.count(), 0);
      else {
        assertEquals(await shown.evaluate((it: HTMLAnchorElement) => [it.href, it.target, it.rel, it.innerText]), [
          source_url,
          "_blank",
          "noopener noreferrer",
          en.reader.openWebPage,
        ]);
        await readerOf(visitor.page).getByText(fill(en.reader.fetched, { date: "Nov 20, 2026" })).waitFor();
      }
    }
  });

  await t.step("a wrapped line of a file is no line of its own; one of a web page is", async () => {
    const passage = { content: "Owls sleep\nby day." };
    const fileId = await addFile(tenant, "Owls.md", passage);
    for (const [source_url, breaks] of [[null, 0], ["https://example.com/owls", 1]] as const) {
      await updateRow(fileId, { content_type: "text/markdown", source_url });
      await using visitor = await visit(site.url + linkTo(tenant, fileId, idOf(passage)));
      await markedIn(visitor.page).locator("p").waitFor();
      assertEquals([source_url, await markedIn(visitor.page).locator("br").count()], [source_url, breaks]);
    }
  });

  for (const look of onceARun(looks, { salt: "the reader" })) {
    await t.step(`axe finds nothing serious at ${look.name}`, async () => {
      const { fileId, passageId } = await addBook(tenant);
      await using visitor = await visit(site.url + linkTo(tenant, fileId, passageId), look.options);
      const { page } = visitor;
      await markedIn(page).waitFor();
      assertEquals(await findBarriers(page), []);
      const { x, y, width, height } = (await readerOf(page).boundingBox())!;
      assertEquals([x >= 0, x + width <= look.width, y >= 0, y + height <= 844], [true, true, true, true]);
    });
  }
});
