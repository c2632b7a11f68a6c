import { sha256Hex } from "../../shared/core/auth/digest.ts";
import { type Passage, readPassages } from "../../shared/libs/documents/read_passages.ts";
import { startAnsweringChat } from "./answering_chat.ts";
import type { Environment } from "./environment.ts";
import { makeManuals, type Manual, type PageQuestion } from "./manuals.ts";
import { type Figure, mean } from "./report.ts";
import { orShort } from "./short_form.ts";

const depth = 6;

/**
 * Measures whether sources lead to the right page: long PDF documents, read by the indexer's reader, and questions whose page is
 * known.
 */
export async function measurePages(environment: Environment): Promise<Figure[]> {
  const { manuals, questions } = await makeManuals({ count: orShort(6, 1), pages: orShort(80, 3) });
  const [coach] = await environment.insert("coach_profiles", [
    {
      account_id: environment.accountId,
      name: "Mara",
      title: "Technician",
      instructions: "Answer from your files alone.",
    },
  ]);
  for (const manual of manuals) await storeManual(environment, coach!.id, manual);
  return [
    ...await measureSearch(environment, coach!.id, questions),
    ...await measureSources(environment, coach!.id, questions),
  ];
}

async function storeManual(
  { accountId, insert, call }: Environment,
  coachId: string,
  { filename, bytes }: Manual,
): Promise<void> {
  const [file] = await insert("knowledge_files", [{
    account_id: accountId,
    coach_id: coachId,
    name: filename,
    size: bytes.length,
    content_type: "application/pdf",
    category: "documents",
    digest: await sha256Hex(filename),
    storage_path: `${coachId}/${filename}`,
    // The indexer leaves it alone: there is no object to read.
    status: "ready",
    due_at: null,
  }]);
  const passages: Passage[] = [];
  for await (const batch of readPassages("pdf", bytes, null)) passages.push(...batch.passages);
  await call("store_passages", { file_id: file!.id, from_position: 0, passages });
}

type Place = { filename?: string; page?: number | null };

const isRight = (place: Place | undefined, { filename, page }: PageQuestion) =>
  place?.filename === filename && place.page === page;

async function measureSearch({ call }: Environment, coachId: string, questions: PageQuestion[]): Promise<Figure[]> {
  const [first, any, named]: number[][] = [[], [], []];
  for (const asked of questions) {
    const found = await call<(Place & { content: string })[]>("search_passages", {
      coach_id: coachId,
      query: asked.question,
      how_many: depth,
    });
    first!.push(Number(isRight(found[0], asked)));
    any!.push(Number(found.some((place) => isRight(place, asked))));
    const holding = found.filter(({ content }) => content.replace(/\s+/g, " ").includes(asked.fact));
    named!.push(...holding.map((place) => Number(isRight(place, asked))));
  }
  return [
    {
      name: "pages: questions whose right page is found first",
      unit: "",
      measured: mean(first!),
      budget: { atLeast: 0.9 },
    },
    {
      name: `pages: questions whose right page is among ${depth}`,
      unit: "",
      measured: mean(any!),
      budget: { atLeast: 0.95 },
    },
    {
      name: "pages: found passages with the answer that name its page",
      unit: "",
      measured: mean(named!),
      budget: { atLeast: 0.95 },
    },
  ];
}

/** The sources of whole answers. */
async function measureSources(
  environment: Environment,
  coachId: string,
  questions: PageQuestion[],
): Promise<Figure[]> {
  await using chat = await startAnsweringChat(environment);
  const [cited, answered]: [number[], number[]] = [[], []];
  for (const asked of questions) {
    const response = await fetch(`${chat.url}/chat`, {
      method: "POST",
      headers: { "X-API-Key": environment.apiKey, "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ message: asked.question, context: { coachId, userId: crypto.randomUUID() } }),
    });
    if (response.status !== 200) throw new Error(`The chat said ${response.status} ${await response.text()}`);
    const { sources }: { sources: Place[] } = await response.json();
    const verdicts = sources.map((source) => isRight(source, asked));
    cited.push(...verdicts.map(Number));
    answered.push(Number(verdicts.includes(true)));
  }
  return [
    { name: `pages: cited pages that are right (${chat.model})`, unit: "", measured: mean(cited) },
    { name: `pages: questions with a source on the right page (${chat.model})`, unit: "", measured: mean(answered) },
  ];
}
