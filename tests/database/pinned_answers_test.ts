import type { PGlite } from "@electric-sql/pglite";
import data from "../../shared/core/questions/languages.json" with { type: "json" };
import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

type Found = { id: string; version: number; question: string; answer: string };
type Match = { exact: Found | null; near: Found[] };

/**
 * The relation of a message to a pinned question: the same, other words for it, nearly the same words, or something
 * else.
 */
type Relation = "same" | "paraphrase" | "near" | "not the same";

/** Messages as they were asked, and the questions that are pinned. */
const pairs: Record<string, [asked: string, pinned: string, relation: Relation][]> = {
  english: [
    // The same but for case, accents, punctuation, articles, endings and politeness.
    ["when should i fast", "When should I fast?", "same"],
    ["Hi! When should I fast? Thanks a lot 🙂", "When should I fast?", "same"],
    ["When should I fast, please?!", "When should I fast?", "same"],
    ["IS THE COFFEE OKAY DURING A FAST", "Is coffee okay during the fast?", "same"],
    ["Is cafe au lait okay?", "Is café au lait okay?", "same"],
    ["Can I eat low-carb bread?", "Can I eat low carb breads?", "same"],
    ["Don’t I need protein?", "Don't I need protein?", "same"],
    ["Ｗｈｅｎ ｓｈｏｕｌｄ Ｉ ｆａｓｔ？", "When should I fast?", "same"],
    ["How much is 100mg?", "How much is 100 mg?", "same"],
    ["Does exercising reduce allergies?", "Does exercise reduced allergy?", "same"],
    ["Shall I fast at all?", "Hello, shall I fast at all?", "same"],
    // Nearly the same words, and another question.
    ["Why should I fast?", "When should I fast?", "near"],
    ["When should I not fast?", "When should I fast?", "near"],
    ["When shouldn't I fast?", "When should I fast?", "near"],
    ["When may I fast?", "When must I fast?", "near"],
    ["What do I eat before a run?", "What do I eat after a run?", "near"],
    ["Can I drink coffee with milk?", "Can I drink coffee without milk?", "near"],
    ["Who should fast?", "Why should fast?", "near"],
    ["When should she fast?", "When should I fast?", "near"],
    ["When should we fast?", "When should I fast?", "near"],
    ["Should my daughter fast?", "Should my son fast?", "near"],
    ["We're tired, why?", "Were tired, why?", "near"],
    ["Can I fast for 15 hours?", "Can I fast for 1.5 hours?", "near"],
    ["Can I fast for 1 5 hours?", "Can I fast for 1.5 hours?", "near"],
    ["Do I fast 168?", "Do I fast 16:8?", "near"],
    ["Is 5 kg much?", "Is 5 g much?", "near"],
    ["Is -5 degrees cold?", "Is 5 degrees cold?", "near"],
    ["Is .5 gram much?", "Is 5 grams much?", "near"],
    ["Are 10 % fat fine?", "Are 10 g fat fine?", "near"],
    ["Are 10% fat fine?", "Are 10 fat fine?", "near"],
    ["Is a pulse < 60 fine?", "Is a pulse > 60 fine?", "near"],
    ["Does it cost $50?", "Does it cost €50?", "near"],
    ["Is 5² kg more?", "Is 52 kg more?", "near"],
    ["Do 1½ hours help?", "Do 11/2 hours help?", "near"],
    ["How much vitamin do I need?", "How much vitamin A do I need?", "near"],
    ["What is vitamin a", "What is vitamin?", "near"],
    ["Can I eat 🍎?", "Can I eat 🍌?", "near"],
    ["How do I say please?", "How do I say thanks?", "near"],
    ["Fast I when should?", "When should I fast?", "near"],
    ["Is - 5 degrees cold?", "Is 5 degrees cold?", "near"],
    ["Is ˗5 degrees cold?", "Is 5 degrees cold?", "near"],
    ["May blood group B- donate?", "May blood group B donate?", "near"],
    // Words that have the same stem.
    ["Is organ meat healthy?", "Is organic meat healthy?", "near"],
    ["Is imported salt healthy?", "Is important salt healthy?", "near"],
    ["Do you see several pains?", "Do you see severe pains?", "near"],
    ["Is internal bleeding bad?", "Is international bleeding bad?", "near"],
    ["Should I train hardly?", "Should I train hard?", "near"],
    ["Is C++ hard?", "Is C hard?", "not the same"],
    ["???", "When should I fast?", "not the same"],
    ["thanks", "When should I fast?", "not the same"],
    // Other words for the same: never word for word, but the model sees the answer.
    ["What time of day is best for fasting?", "When should I fast?", "paraphrase"],
    ["How many hours do I have to wait to eat after working out?", "When may I eat after a workout?", "paraphrase"],
    ["Is black coffee allowed while I'm fasting?", "Can I drink coffee during a fast?", "paraphrase"],
    ["I feel dizzy since I started, is that dangerous?", "What should I do when I get dizzy?", "paraphrase"],
    ["Do I have to count every calorie?", "Is counting calories necessary?", "paraphrase"],
    ["My weight has not changed for weeks. What now?", "Why has my weight stopped going down?", "paraphrase"],
    ["Are there side effects if I take magnesium every night?", "Is magnesium safe to take daily?", "paraphrase"],
    ["How do I stop craving sugar in the evening?", "What helps against sugar cravings?", "paraphrase"],
    ["Will I lose muscle if I don't eat breakfast?", "Does skipping breakfast cost muscle?", "paraphrase"],
    ["I sleep badly when dinner is late", "Does a late dinner disturb my sleep?", "paraphrase"],
    ["Could I combine this with running a marathon?", "Can I train for a marathon with your plan?", "paraphrase"],
    [
      "What would you give a child for breakfast?",
      "What should children eat in the morning for breakfast?",
      "paraphrase",
    ],
    ["Is it fine for diabetics?", "Can a person who is diabetic follow your plan?", "paraphrase"],
    ["My doctor prescribed antibiotics. Should I pause?", "Do I stop while taking antibiotics?", "paraphrase"],
    ["What do you charge for a consultation?", "How much does a consultation cost?", "paraphrase"],
    ["Where can I buy your book?", "Is your book sold in shops?", "paraphrase"],
    ["How long until I see results?", "When do results show?", "paraphrase"],
    ["Does alcohol ruin all progress?", "How much alcohol is fine?", "paraphrase"],
    ["I'm pregnant. May I fast?", "Should pregnant women fast?", "paraphrase"],
    ["Which oil is healthiest for frying?", "What oil should I fry with?", "paraphrase"],
    ["Can vegetarians get enough protein?", "Where does a vegetarian get protein from?", "paraphrase"],
    ["Is it normal to be cold all the time?", "Why am I always cold?", "paraphrase"],
  ],
  german: [
    ["Guten Tag, darf ich Äpfel essen? Danke!", "Darf ich die Äpfel essen?", "same"],
    ["WIE GROSS IST DIE STRASSE", "Wie groß ist die Straße?", "same"],
    ["Helfen tägliche Übungen?", "Helfen täglichen Übung?", "same"],
    ["Hilft Organisches?", "Hilft ein Organ?", "near"],
    ["Darf ich keine Äpfel essen?", "Darf ich Äpfel essen?", "near"],
    ["Wann soll ich nicht fasten?", "Wann soll ich fasten?", "near"],
    ["Wie viel Wasser soll ich am Tag trinken?", "Welche Menge Wasser braucht man täglich?", "paraphrase"],
  ],
  french: [
    ["puis je manger l'œuf a midi svp", "Puis-je manger l’œuf à midi ?", "same"],
    ["Bonjour, quand dois-je jeûner ?", "Quand dois-je jeuner", "same"],
    ["Une patiente peut-elle jeûner ?", "Un patient peut-elle jeûner ?", "near"],
    ["Quand ne dois-je pas jeûner ?", "Quand dois-je jeûner ?", "near"],
  ],
  spanish: [
    ["Hola! Cuando debo ayunar? Gracias", "¿Cuándo debo ayunar?", "same"],
    ["¿Debe ayunar mi hijo?", "¿Debe ayunar mi hija?", "near"],
    ["¿Cuánto cuesta la libra?", "¿Cuánto cuesta el libro?", "near"],
    ["¿Ayudan unos zumos?", "¿Ayudan los zumos?", "same"],
    ["¿Debe él ayunar?", "¿Debe ayunar?", "near"],
    ["¿Por qué debo ayunar?", "¿Cuándo debo ayunar?", "near"],
  ],
  italian: [
    ["Ciao, posso bere il caffè?", "Posso bere caffe", "same"],
    ["Devono digiunare i figli?", "Devono digiunare le figlie?", "near"],
    ["Posso mangiare le mele?", "Posso mangiare una mela?", "same"],
    ["Posso bere il caffè senza zucchero?", "Posso bere il caffè con zucchero?", "near"],
  ],
  portuguese: [
    ["olá, posso comer o pão à noite?", "Posso comer pão à noite?", "same"],
    ["Meu filho pode jejuar?", "Minha filha pode jejuar?", "near"],
    ["Um gato pode comer?", "Uma gata pode comer?", "near"],
    ["Posso comer pão sem glúten?", "Posso comer pão com glúten?", "near"],
  ],
  dutch: [
    ["Mag ik het brood eten alsjeblieft?", "Mag ik brood eten?", "same"],
    ["Mag ik één boterham eten?", "Mag ik boterham eten?", "near"],
  ],
  russian: [
    ["КОГДА МНЕ ГОЛОДАТЬ", "Когда мне голодать?", "same"],
    ["Почему мне голодать?", "Когда мне голодать?", "near"],
  ],
  arabic: [
    ["متى أصوم؟!", "متى أصوم", "same"],
    ["لماذا أصوم؟", "متى أصوم؟", "near"],
    ["من فضلك، متى اصوم؟ شكراً", "متى أصوم", "same"],
    ["هل كُحول مسموح", "هل الكحول مسموح؟", "same"],
    ["هل الكحول غير مسموح؟", "هل الكحول مسموح؟", "near"],
    // Words that have the same stem.
    ["هل المدرسة مريضة اليوم؟", "هل المدرس مريض اليوم؟", "near"],
    ["هل تستطيع الدفع نقدا؟", "هل أستطيع الدفع نقدا؟", "near"],
    ["كم سعر كتابي القديم؟", "كم سعر كتابك القديم؟", "near"],
  ],
  simple: [
    ["我應該什麼時候禁食？", "我應該什麼時候禁食", "same"],
    ["我為什麼應該禁食？", "我應該什麼時候禁食？", "not the same"],
    ["мой?", "мои?", "not the same"],
    // Without a list of articles each word counts.
    ["when should I take the pill", "When should I take a pill?", "near"],
  ],
};

async function prepare() {
  const postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  return { postgres, accountId, coachId, value, ...askOf(postgres, accountId, coachId) };
}

/** Reads the phrases that are due, as the sweep does. */
async function readDue(postgres: PGlite): Promise<void> {
  const value = askForValue(postgres);
  for (let due = await value("select private.take_phrases()"); due.length > 0;) {
    const read = [];
    for (const { id, content, language } of due) {
      read.push({ id, form: await readQuestion(content, language), is_done: true });
    }
    ({ phrases: due } = await value("select save_phrases($1, true)", [JSON.stringify(read)]));
  }
}

/** Actions on the pinned answers of a coach. */
function askOf(postgres: PGlite, accountId: string, coachId: string) {
  const value = askForValue(postgres);
  const read = async (question: string) =>
    await readQuestion(question, await value("select to_json(language) from coach_profiles where id = $1", [coachId]));
  return {
    read,
    pin: async (
      question: string,
      { variants = [], answer = `To: ${question}`, by = null, replaces = false }: {
        variants?: string[];
        answer?: string;
        by?: string | null;
        replaces?: boolean;
      } = {},
    ): Promise<{ id: string; version: number } & { error?: string; answer_id?: string }> =>
      await value("select private.pin_answer($1, $2, private.read_questions($2, $3), $4, $5, $6)", [
        accountId,
        coachId,
        JSON.stringify(await Promise.all([question, ...variants].map(read))),
        answer,
        by,
        replaces,
      ]),
    find: async (
      message: string,
      { hasHistory = false, vector = null }: { hasHistory?: boolean; vector?: number[] | null } = {},
    ) =>
      await value(
        `select jsonb_build_object('exact', found->'exact', 'near', found->'pinned') from coach_profiles as coach,
           private.find_for_question(coach, '', $3, $2, $4, $5) as found where id = $1`,
        [
          coachId,
          hasHistory ? ["uWhat was said"] : [],
          message,
          vector && JSON.stringify({ model: "m", vector: JSON.stringify(fill(vector)) }),
          JSON.stringify(await read(message)),
        ],
      ) as Match,
  };
}

/** The vector with zeros at its end, as the column has it. */
const fill = (vector: number[]) => [...vector, ...Array(1536 - vector.length).fill(0)];

/** Runs a statement that Postgres refuses, and returns why. */
async function refusalOf(statement: Promise<unknown>): Promise<string> {
  const { message } = await assertRejects(() => statement, Error);
  // Every SQL error sets the exit code of this process; undo that.
  Deno.exitCode = 0;
  return message;
}

const ids = (found: { id: string }[]) => found.map(({ id }) => id);

Deno.test("questions asked and questions pinned", async (t) => {
  const { postgres, accountId } = await prepare();
  await using _ = postgres;
  const value = askForValue(postgres);
  for (const [language, table] of Object.entries(pairs)) {
    const coachOf = async () =>
      await value(
        "insert into coach_profiles (account_id, name, title, instructions, language) values ($1, 'A', 'B', 'C', $2) returning id",
        [accountId, language],
      );
    // All questions of the language side by side, as an expert has them.
    const all = askOf(postgres, accountId, await coachOf());
    const idOf: Record<string, string> = {};
    const missed: string[] = [];
    for (const [, pinned] of table) {
      const { id, answer_id } = await all.pin(pinned);
      idOf[pinned] = id ?? answer_id;
    }
    for (const [asked, pinned, relation] of table) {
      await t.step(`${language}: "${asked}", where "${pinned}" is pinned: ${relation}`, async () => {
        const alone = askOf(postgres, accountId, await coachOf());
        await alone.pin(pinned);
        const { exact, near } = await alone.find(asked);
        assertEquals(exact?.question ?? null, relation === "same" ? pinned : null);
        if (relation === "near") assertEquals(near.map(({ question }) => question), [pinned]);

        const among = await all.find(asked);
        if (relation === "same") assertEquals(among, { exact: { ...exact!, id: idOf[pinned]! }, near: [] });
        else assert(among.exact?.id !== idOf[pinned]);
        if (relation === "paraphrase" && !ids(among.near).includes(idOf[pinned]!)) missed.push(asked);
      });
    }
    await t.step(`${language}: nine of ten paraphrases are among the three near ones`, () => {
      const asked = table.filter(([, , relation]) => relation === "paraphrase").length;
      assert(missed.length <= asked / 10, `${missed.length} of ${asked}: ${missed.join(", ")}`);
    });
  }
});

Deno.test("a message in a thread with history", async (t) => {
  const { postgres, pin, find, coachId } = await prepare();
  await using _ = postgres;
  const questions = [
    "How long does it take?",
    "How long does a beginner usually fast without help?",
    "Should I fast?",
    "Does the doctor recommend it before long fasts?",
    "Should the IT department plan long fasts?",
  ];
  for (const question of questions) await pin(question);
  const exactOf = async (message: string, hasHistory: boolean) => (await find(message, { hasHistory })).exact?.question;

  for (const question of questions) {
    const standsAlone = question.includes("beginner") || question.includes("IT department");
    await t.step(`"${question}" ${standsAlone ? "stands alone" : "may mean something else there"}`, async () => {
      assertEquals(await exactOf(question, false), question);
      assertEquals(await exactOf(question, true), standsAlone ? question : undefined);
      const { near } = await find(question, { hasHistory: true });
      if (!standsAlone) assertEquals(near[0]?.question, question);
    });
  }

  for (
    const [language, question, pointsBack] of [
      ["german", "Wie lange darf ein Anfänger täglich fasten?", false],
      ["german", "Was empfehlen Sie Anfängern beim langen Fasten?", false],
      ["german", "Was empfehlen sie Anfängern beim langen Fasten?", true],
      ["german", "Wie lange dauert dieses Fasten beim Anfänger normalerweise?", true],
      ["french", "Combien de temps peut jeûner un débutant prudent ?", false],
      ["french", "Combien de temps ça dure pour un débutant prudent ?", true],
      ["italian", "Il caffè amaro disturba il digiuno?", false],
      ["italian", "Quanto dura questo digiuno per un principiante?", true],
      ["spanish", "¿Cuánto tiempo ayuna una persona principiante y sana?", false],
      ["spanish", "¿Cuánto tiempo dura eso en una persona sana?", true],
      ["portuguese", "Quanto tempo um iniciante saudável pode jejuar?", false],
      ["portuguese", "Quanto tempo isso dura num iniciante saudável?", true],
      ["english", "Does the coach herself give private online lessons?", true],
      ["german", "Was kostet das Programm für gesunde Anfänger?", false],
      ["german", "Wie lange dauert das bei gesunden Anfängern normalerweise?", true],
      ["german", "Gilt dasselbe für schwangere Frauen und Kinder?", true],
      ["german", "Wozu dient seine Übung am frühen Morgen?", true],
      ["french", "Y a-t-il un cours privé pour les débutants prudents ?", false],
      ["french", "Faut-il y aller avant une séance de sport ?", true],
      ["french", "Lequel contient du sucre, du miel ou du lait ?", true],
      ["spanish", "¿Qué es lo mejor para dormir bien cada noche?", false],
      ["spanish", "¿Lo puedo tomar antes de entrenar las piernas?", true],
      ["spanish", "¿Puedo tomarlo antes de entrenar las piernas?", true],
      ["portuguese", "Posso tomá-lo antes de treinar as pernas?", true],
      ["portuguese", "Nesse caso devo comer carne, peixe ou ovos?", true],
      ["arabic", "متى يجب أن أصوم في شهر رمضان الكريم؟", false],
      ["arabic", "هل يمكن تناولها قبل التدريب الصباحي اليومي؟", true],
      ["arabic", "هل ينفع هذا الدواء ضد الصداع الشديد؟", true],
      ["dutch", "Hoe lang kan een gezonde beginner vasten?", false],
      ["english", "May I feed a hen corn every morning?", false],
      ["english", "What happens when a rich person dies?", false],
      ["english", "Does he give private online lessons?", true],
      ["english", "Does her coach give private online lessons?", true],
      ["german", "Seit wann wohnt dort die Familie Meier?", true],
      ["german", "Wann geht dies bei gesunden Anfängern?", true],
      ["french", "Quelle est la dose pour un adulte prudent ?", false],
      ["french", "Combien de temps dort un enfant malade ?", false],
      ["french", "Pouvez-vous former une grande équipe sportive ?", false],
      ["italian", "Posso mangiare quelle mele ogni mattina?", true],
      ["german", "Wie lange dauert es bei gesunden Anfängern?", true],
      ["german", "Wie lange darf er täglich Kaffee trinken?", true],
      ["spanish", "¿Cuál es el precio de una clase privada?", false],
      ["dutch", "Hoe lang kan een gezonde beginner hem vasten?", true],
      ["dutch", "Hoe lang kan hij als gezonde beginner vasten?", true],
      // No list of such words: it cannot be told.
      ["swedish", "Hur länge kan en nybörjare egentligen fasta?", true],
      ["simple", "How long does a beginner usually fast without help?", true],
    ] as const
  ) {
    await t.step(
      `${language}: "${question}" ${pointsBack ? "may mean something else there" : "stands alone"}`,
      async () => {
        await postgres.query("update coach_profiles set language = $1 where id = $2", [language, coachId]);
        await readDue(postgres);
        const { id } = await pin(question, { replaces: true });
        assertEquals((await find(question)).exact?.id, id);
        assertEquals((await find(question, { hasHistory: true })).exact?.id, pointsBack ? undefined : id);
      },
    );
  }

  await t.step(
    "the words that point back are those of one language only where they mean something else in another",
    () => {
      const words = data.back_pointers.split(" ");
      for (
        const word of [
          "on",
          "die",
          "la",
          "le",
          "lo",
          "en",
          "se",
          "il",
          "son",
          "das",
          "es",
          "er",
          "hem",
          "hen",
          "quelle",
          "dort",
          "dies",
          "he",
          "her",
          "former",
        ]
      ) {
        assert(!words.includes(word));
      }
      assertEquals(words.toSorted(), [...new Set(words)].toSorted());
    },
  );
});

Deno.test("politeness on one side, and texts of any kind", async (t) => {
  const { postgres, pin, find } = await prepare();
  await using _ = postgres;

  await t.step("is left out on one side only, and where two answers would fit, neither is given", async () => {
    const { id } = await pin("Hello, may I drink tea?");
    assertEquals((await find("May I drink tea?")).exact?.id, id);
    assertEquals((await find("Hello, may I drink tea?")).exact?.id, id);
    assertEquals((await find("Please, may I drink tea?")).exact, null);
    await pin("Please, may I drink tea?");
    assertEquals((await find("May I drink tea?")).exact, null);
    const plain = await pin("May I drink tea?");
    assertEquals((await find("May I drink tea?")).exact?.id, plain.id);
    assertEquals((await find("Sorry, may I drink tea?")).exact?.id, plain.id);
  });

  await t.step("nothing is left of some: they have no key", async () => {
    const { id } = await pin("Tea?");
    await postgres.query(
      `insert into private.phrase_embeddings select id, coach_id, is_pinned, 'm', $1::extensions.halfvec
       from private.phrases where subject_id = $2`,
      [JSON.stringify(fill([1, 0])), id],
    );
    assertEquals(ids((await find("Beverage", { vector: [1, 0] })).near), [id]);
    for (const text of ["", " ", "?!", "…", "🙂", "\u200b"]) {
      assertEquals((await readQuestion(text, "english")).key, null, text);
      assertEquals(await find(text, { vector: [1, 0] }), { exact: null, near: [] });
    }
  });

  await t.step("hostile texts have at most a key, and end soon", async () => {
    const texts = [
      "a".repeat(32_000),
      "the ".repeat(8_000),
      "please ".repeat(4_000),
      "1.".repeat(16_000),
      "-".repeat(32_000),
      "é".repeat(32_000),
      "a\u0301".repeat(10_000),
      "🍎".repeat(10_000),
      "﷽".repeat(2_000),
      "' or 1=1; -- \\ % _ {} [] () | * +",
      "\u0001\u001f\u007f\u009f\ufffd\u{10ffff}",
    ];
    for (const text of texts) {
      const { exact, near } = await find(text);
      assertEquals([exact, near], [null, []], text.slice(0, 20));
    }
    await pin("' or 1=1; -- \\ % _ {} [] () | * +");
    assertEquals(
      (await find("' or 1=1; -- \\ % _ {} [] () | * +")).exact?.answer,
      "To: ' or 1=1; -- \\ % _ {} [] () | * +",
    );
  });

  await t.step("characters that stand for whole phrases do not make a message longer", async () => {
    const read = (count: number) => readQuestion("\ufdfa ".repeat(count), "arabic");
    assertEquals((await read(100)).words.length, 400);
    assert((await read(2_000)).words.length < 500);
    assertEquals((await read(900)).key, null);
  });

  await t.step(
    "a question of 1,000 characters is found, a message that is longer than any question is not",
    async () => {
      const long = "Could you tell me about rivers and harbours? ".repeat(22).trim();
      const { id } = await pin(long);
      assertEquals((await find(`${long} Thanks!`)).exact?.id, id);
      assertEquals((await find(long.repeat(3))).exact, null);
      assertEquals((await find(long.repeat(3))).near[0]?.id, id);
    },
  );
});

/** A coach with one pinned answer, and what looks at its versions and at the index. */
async function prepareWritten() {
  const prepared = await prepare();
  const { postgres, value } = prepared;
  const run = (sql: string, ...parameters: unknown[]) => postgres.query(sql, parameters);
  const versions = (id: string) =>
    value(
      `select json_agg(json_build_array(version, question, answer, is_active, written_by) order by version)
       from private.pinned_answer_versions where pinned_answer_id = $1`,
      [id],
    );
  /** The data of the ranking must match the pinned answers, whatever has happened to them. */
  async function checkIndex(): Promise<void> {
    await readDue(postgres);
    const indexed = await value(`
      select coalesce(json_agg(coach_id || ' ' || subject_id || ' ' || word), '[]')
      from (select distinct coach_id, subject_id, word from private.phrase_words where is_pinned) as indexed`);
    const asked = await value(`
      select coalesce(json_agg(json_build_array(pinned.coach_id || ' ' || pinned.id, coach.language, content)), '[]')
      from pinned_answers as pinned join coach_profiles as coach on coach.id = pinned.coach_id
      cross join unnest(pinned.question || pinned.variants) as content where pinned.is_active`);
    const wanted = new Set<string>();
    for (const [subject, language, content] of asked) {
      const { content_words } = await readQuestion(content, language);
      for (const word of ["", ...content_words]) wanted.add(`${subject} ${word}`);
    }
    assertEquals(indexed.toSorted(), [...wanted].toSorted());
  }
  const { id } = await prepared.pin("When should I fast?", {
    variants: ["At what hour do I fast?", "WHEN should I fast!"],
    by: "ann",
  });
  return { ...prepared, run, versions, checkIndex, id, [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose]() };
}

Deno.test("pinned answers are written", async (t) => {
  await using prepared = await prepareWritten();
  const { postgres, pin, find, value, accountId, coachId, run, versions, checkIndex, id } = prepared;

  await t.step("one question twice in a pinned answer is one; each is found", async () => {
    assertEquals(await value("select count(key) from private.phrases where subject_id = $1", [id]), 2);
    for (const asked of ["when should i fast", "At what hour do I fast"]) {
      assertEquals((await find(asked)).exact?.id, id);
    }
    await checkIndex();
  });

  await t.step("the same question in another, or as a variant: refused, and nothing is written", async () => {
    const taken = { error: "already_pinned", answer_id: id };
    assertEquals(await pin("when should I FAST"), taken as never);
    assertEquals(await pin("Something else?", { variants: ["At what hour do I fast?"] }), taken as never);
    assertEquals(await value("select count(*) from pinned_answers"), 1);
    // Where somebody writes past the function, the earlier one keeps the question.
    const insert =
      "insert into pinned_answers (account_id, coach_id, question, answer) values ($1, $2, 'when should i fast', 'x')";
    await run(insert, accountId, coachId);
    await checkIndex();
    assertEquals((await find("When should I fast?")).exact?.id, id);
    await run("delete from pinned_answers where answer = 'x'");
    assertEquals((await find("When should I fast?")).exact?.id, id);
    await checkIndex();
  });

  await t.step("another coach may have the same question, and has its own answer", async () => {
    const other = await insertCoach(postgres);
    const theirs = askOf(postgres, other.accountId, other.coachId);
    assertEquals(await theirs.find("When should I fast?"), { exact: null, near: [] });
    const { id: otherId } = await theirs.pin("When should I fast?");
    assertEquals(
      [(await theirs.find("When should I fast?")).exact?.id, (await find("When should I fast?")).exact?.id],
      [otherId, id],
    );
    await run("delete from pinned_answers where id = $1", otherId);
    await checkIndex();
  });

  await t.step("a new text for the same question: a new version of it, active again", async () => {
    await run("update pinned_answers set is_active = false where id = $1", id);
    assertEquals(await find("When should I fast?"), { exact: null, near: [] });
    const again = await pin("When should I fast?", { answer: "At night.", by: "ben", replaces: true });
    assertEquals(again, { id, version: 3 });
    assertEquals((await find("When should I fast?")).exact, {
      id,
      version: 3,
      question: "When should I fast?",
      answer: "At night.",
    });
    const replaced = await pin("Which tea?", { variants: ["When should I fast", "Tea, which?"], replaces: true });
    assertEquals(await value("select to_json(variants) from pinned_answers where id = $1", [replaced.id]), [
      "Tea, which?",
    ]);
    await checkIndex();
  });

  await t.step("each change is a version, with who wrote it; one by hand names nobody", async () => {
    assertEquals(await versions(id), [
      [1, "When should I fast?", "To: When should I fast?", true, "ann"],
      [2, "When should I fast?", "To: When should I fast?", false, null],
      [3, "When should I fast?", "At night.", true, "ben"],
    ]);
    await run("update pinned_answers set answer = 'In the morning.' where id = $1", id);
    await run("update pinned_answers set answer = 'In the morning.', version = 70 where id = $1", id);
    await run("update pinned_answers set answer = 'At noon.', writer = 'ben', version = 70 where id = $1", id);
    await run("update pinned_answers set answer = 'At noon, then.', writer = 'ben' where id = $1", id);
    assertEquals((await versions(id)).slice(3).map(([version, , answer, , by]: unknown[]) => [version, answer, by]), [
      [4, "In the morning.", null],
      [5, "At noon.", "ben"],
      [6, "At noon, then.", "ben"],
    ]);
    assertEquals(await value("select version from pinned_answers where id = $1", [id]), 6);
  });

  await t.step("what is changed by hand is found by its new words, and not by its old ones", async () => {
    await run("update pinned_answers set question = 'Where do owls nest?', variants = '{}' where id = $1", id);
    assertEquals(await find("When should I fast?"), { exact: null, near: [] });
    assertEquals((await find("where do owls nest")).exact, null, "the sweep reads it");
    await checkIndex();
    assertEquals((await find("where do owls nest")).exact?.id, id);
    assertEquals(ids((await find("tell me about owls")).near), [id]);
    assertEquals(await find("When should I fast?"), { exact: null, near: [] });
    await checkIndex();
    await run("update pinned_answers set is_active = false where id = $1", id);
    assertEquals(await find("where do owls nest"), { exact: null, near: [] });
    await checkIndex();
    await run("update pinned_answers set is_active = true where id = $1", id);
    await checkIndex();
  });
});

Deno.test("pinned answers are refused, made active again, and deleted", async (t) => {
  await using prepared = await prepareWritten();
  const { postgres, pin, find, value, accountId, coachId, run, checkIndex, id } = prepared;

  await t.step("what no row may hold is refused", async () => {
    for (
      const change of [
        "question = ' '",
        "question = repeat('x', 1001)",
        "answer = ''",
        "answer = repeat('x', 20001)",
        "variants = array_fill('x'::text, array[21])",
        "variants = '{\" \"}'",
        "variants = array[null::text]",
        "variants = array[repeat('x', 1001)]",
      ]
    ) {
      assertMatch(
        await refusalOf(run(`update pinned_answers set ${change} where id = $1`, id)),
        /check constraint/,
        change,
      );
    }
  });

  await t.step(
    "another language: other words are the same; of two that come to be, the older keeps the question",
    async () => {
      await run("update coach_profiles set language = 'simple' where id = $1", coachId);
      const older = await pin("Do eggs harm?");
      const newer = await pin("Do egg harm?");
      await run("update coach_profiles set language = 'english' where id = $1", coachId);
      assertEquals((await find("do eggs harm")).exact, null);
      await readDue(postgres);
      assertEquals((await find("do eggs harm")).exact?.id, older.id);
      assertEquals(ids((await find("harm of an egg")).near).toSorted(), [older.id, newer.id].toSorted());
      await checkIndex();
      await run("delete from pinned_answers where id = any ($1)", [older.id, newer.id]);
      await checkIndex();
    },
  );

  await t.step(
    "another language, with many phrases: the sweep reads them, and nothing is embedded again",
    async () => {
      await run("update coach_profiles set language = 'simple' where id = $1", coachId);
      await run(
        `insert into pinned_answers (account_id, coach_id, question, answer, variants)
       select account_id, id, 'Which hens of coop ' || place || ' lay?', 'A', array(
         select 'Hens of coop ' || place || ' way ' || variant from generate_series(1, 20) as variant
       ) from coach_profiles cross join generate_series(1, 60) as place where id = $1`,
        coachId,
      );
      await run("update coach_profiles set language = 'english' where id = $1", coachId);
      const withoutKey = () =>
        value("select count(*)::integer from private.phrases where coach_id = $1 and is_pinned and language is null", [
          coachId,
        ]);
      assert(await withoutKey() > 1_200);
      await run(
        `insert into private.phrase_embeddings select id, coach_id, is_pinned, 'm', $2::extensions.halfvec
         from private.phrases where coach_id = $1`,
        coachId,
        JSON.stringify(fill([1, 0])),
      );
      const [first] = await value("select private.take_phrases()");
      assertEquals([first.language, first.is_embedded], ["english", true]);
      await run("update private.phrases set due_at = now() where due_at is not null");
      await readDue(postgres);
      assertEquals(await withoutKey(), 0);
      assert((await find("which hen of coop 60 lays")).exact !== null);
      await checkIndex();
      await run("delete from pinned_answers where coach_id = $1 and question like 'Which hens%'", coachId);
      await checkIndex();
    },
  );

  await t.step(
    "a coach that is renamed takes them along; one that is given to another coach is that one's",
    async () => {
      await run("update pinned_answers set question = 'Where do owls nest?', variants = '{}' where id = $1", id);
      await readDue(postgres);
      await run("update coach_profiles set id = 'renamed' where id = $1", coachId);
      const renamed = askOf(postgres, accountId, "renamed");
      assertEquals((await renamed.find("where do owls nest")).exact?.id, id);
      assertEquals(ids((await renamed.find("owls")).near), [id]);
      await checkIndex();
      await run(
        "insert into coach_profiles (account_id, id, name, title, instructions) values ($1, 'next', 'A', 'B', 'C')",
        accountId,
      );
      await run("update pinned_answers set coach_id = 'next' where id = $1", id);
      await readDue(postgres);
      assertEquals((await renamed.find("where do owls nest")).exact, null);
      assertEquals((await askOf(postgres, accountId, "next").find("where do owls nest")).exact?.id, id);
      await checkIndex();
    },
  );

  await t.step("deleting one, or its coach, leaves nothing behind", async () => {
    await run("delete from pinned_answers where coach_id = 'renamed'");
    await checkIndex();
    await run("delete from coach_profiles where id in ('renamed', 'next')");
    for (
      const table of [
        "pinned_answer_versions",
        "pinned_answer_hits",
        "phrases",
        "phrase_words",
      ]
    ) {
      assertEquals(await value(`select count(*) from private.${table}`), 0, table);
    }
  });
});

Deno.test("hits are counted", async () => {
  const { postgres, pin, value, accountId } = await prepare();
  await using _ = postgres;
  const [one, two, three] = [await pin("One owl?"), await pin("Two owls, too?"), await pin("Three?")];
  const count = (exact: string | null, near: string[] | null) =>
    postgres.query("insert into private.ledger (account_id, exact, near) values ($1, $2, $3)", [
      accountId,
      exact,
      near,
    ]);
  const hits = (id: string) =>
    value(
      `select json_build_array(shown->'hits', shown->'near_hits', json_typeof(shown->'last_hit_at') <> 'null')
       from pinned_answers as pinned, private.describe_pinned_answer(pinned) as shown where pinned.id = $1`,
      [id],
    );
  await count(one.id, null);
  await count(null, [one.id, two.id]);
  await count(one.id, []);
  await count(null, null);
  await count(crypto.randomUUID(), [crypto.randomUUID()]);
  await postgres.exec("select private.fold_ledger()");
  const counted = [[2, 1, true], [0, 1, true], [0, 0, false]];
  assertEquals([await hits(one.id), await hits(two.id), await hits(three.id)], counted);
  assertEquals([await hits(one.id), await hits(two.id), await hits(three.id)], counted);
});

Deno.test("phrases are also near by meaning", async (t) => {
  const { postgres, pin, find, value, coachId } = await prepare();
  await using _ = postgres;
  const { id: rest } = await pin("When should I rest?", { variants: ["May I pause?"] });
  const { id: sleep } = await pin("How long is a good night?");
  const take = async (): Promise<{ id: number; content: string }[]> => await value("select private.take_phrases()");
  const save = async (phrases: { id: number; content: string; embedding?: object }[], takesNext = false) => {
    const read = phrases.map(async ({ content, ...phrase }) => (
      { ...phrase, form: await readQuestion(content, "english"), is_done: true }
    ));
    return await value("select save_phrases($1, $2)", [JSON.stringify(await Promise.all(read)), takesNext]);
  };
  const vectors: Record<string, number[]> = {
    "When should I rest?": [1, 0, 0],
    "May I pause?": [0.8, 0.6, 0],
    "How long is a good night?": [0, 1, 0],
    "New words?": [0, 0, 1],
  };
  const embed = async (phrases: { id: number; content: string }[]) =>
    await save(phrases.map(({ id, content }) => ({
      id,
      content,
      embedding: { model: "m", vector: JSON.stringify(fill(vectors[content]!)) },
    })));

  await t.step("all phrases are due once", async () => {
    const due = await take();
    assertEquals(due.map(({ content }) => content).toSorted(), Object.keys(vectors).slice(0, 3).toSorted());
    assertEquals(await take(), []);
    assertEquals(await embed(due), { phrases: [], has_more: false });
  });

  await t.step("what shares no word is near by its meaning, up to a floor", async () => {
    assertEquals(ids((await find("Exhausted", { vector: [1, 0, 0] })).near), [rest]);
    assertEquals(ids((await find("Exhausted", { vector: [0.6, 0.8, 0] })).near).toSorted(), [rest, sleep].toSorted());
    assertEquals((await find("Exhausted", { vector: [0.3, 0, -0.95] })).near, []);
    assertEquals((await find("Hi!", { vector: [1, 0, 0] })).near, []);
  });

  await t.step("what is near both ways comes first", async () => {
    assertEquals(ids((await find("A good night", { vector: [0.6, 0.8, 0] })).near), [sleep, rest]);
  });

  await t.step("the vectors of another model say nothing", async () => {
    await postgres.query("update private.phrase_embeddings set model = 'old'");
    assertEquals((await find("Exhausted", { vector: [1, 0, 0] })).near, []);
    await postgres.query("update private.phrase_embeddings set model = 'm'");
  });

  await t.step("one that is not active is not near", async () => {
    await postgres.query("update pinned_answers set is_active = false where id = $1", [rest]);
    assertEquals((await find("Exhausted", { vector: [1, 0, 0] })).near, []);
    await postgres.query("update pinned_answers set is_active = true where id = $1", [rest]);
    assertEquals([await take(), ids((await find("Exhausted", { vector: [1, 0, 0] })).near)], [[], [rest]]);
  });

  await t.step("only a phrase that changes is due again, and its old vector is gone", async () => {
    await postgres.query("update pinned_answers set question = 'New words?', answer = 'x' where id = $1", [rest]);
    assertEquals(ids((await find("Exhausted", { vector: [1, 0, 0] })).near), [rest]);
    const due = await take();
    assertEquals(due.map(({ content }) => content), ["New words?"]);
    assertEquals(await value("select count(*) from private.phrase_embeddings"), 2);
    await embed(due);
    assertEquals(ids((await find("Exhausted", { vector: [0, 0, 1] })).near), [rest]);
  });

  await t.step("without a model for embeddings they are done with, too; one that is gone is passed over", async () => {
    await postgres.query("select reindex_coach($1)", [coachId]);
    const due = await take();
    assertEquals(due.length, 3);
    await postgres.query("delete from pinned_answers where id = $1", [sleep]);
    assertEquals(await save(due, true), { phrases: [], has_more: false });
    assertEquals(await value("select count(*) from private.phrases where due_at is not null"), 0);
  });

  await t.step("they are taken in parts", async () => {
    await pin("Many?", { variants: Array.from({ length: 20 }, (_, index) => `Variant ${index} of many?`) });
    await pin("More?", { variants: Array.from({ length: 20 }, (_, index) => `Variant ${index} of more?`) });
    await pin("Most?", { variants: Array.from({ length: 20 }, (_, index) => `Variant ${index} of most?`) });
    const first = await take();
    assertEquals(first.length, 50);
    assertEquals((await save(first)).has_more, true);
    const { phrases, has_more } = await save([], true);
    assertEquals([phrases.length, has_more], [13, false]);
  });
});
