/** People are found what they ask for, however they and the files spell it. */
import { assertEquals, assertMatch } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

type Case = [language: string, stored: string, ...asked: string[]];

/** Each text is found by each of the words that follow it. */
const found: Record<string, Case[]> = {
  "accents": [
    ["english", "The soufflé of Señora Ibáñez is served at the Café Łódź.", "souffle", "Ibanez", "cafe", "lodz"],
    ["spanish", "La inscripción es gratuita. El camión llega mañana.", "inscripcion", "camion", "manana"],
    ["french", "L’échéance de l'hôtel est proche.", "echeance", "hotel", "l'échéance"],
    [
      "german",
      "Die Öffnungszeiten der Mühle stehen an der Tür.",
      "Oeffnungszeiten",
      "Offnungszeiten",
      "Muehle",
      "Tuer",
    ],
    ["turkish", "Kapı şifresi gişede.", "kapi", "sifresi", "KAPI"],
    ["simple", "Thư viện đóng cửa lúc sáu giờ.", "thu vien", "dong cua"],
    ["portuguese", "As opções e os cães.", "opcao", "opção", "cao"],
    ["english", "Ms Höller sails from Tromsø.", "Hoeller", "Tromsoe"],
    ["danish", "Grøften på skolegården.", "groeften", "skolegaarden", "groften"],
  ],
  "letters of other scripts": [
    ["arabic", "توجد الصيدلية بجانب المدرسة الكبرى في الطابق ٣٤٥.", "الصيدليه", "الكبري", "345"],
    ["simple", "הַשַּׁעַר נִסְגָּר בשמונה. הדואר בקומה שנייה.", "השער", "דואר"],
    ["arabic", "يفتح المتحف الساعة ٧٫١٥.", "7.15"],
    ["simple", 'ארה"ב רחוקה. הגן פתוח.', "ארהב", "גן"],
    ["simple", "ساعت شیمی و کاغذ", "شيمي", "كاغذ"],
    ["hindi", "टिकट ७५० रुपये का है। दरवाज़ा खुला।", "750", "दरवाजा"],
    ["simple", "お申し込みは窓口へ。払戻はできません。", "申込", "払い戻し"],
    ["simple", "受付は二階です。ＵＳＢは持込禁止です。", "usb"],
  ],
  "forms of characters": [
    [
      "english",
      "The ﬁrst aﬃdavit costs ５０ euros, see note ③. N₂O stays un\u200bder 40 m³.",
      "affidavit",
      "50 euros",
      "note 3",
    ],
    ["english", "N₂O stays un\u200bder 40 m³ in the eleva\u00adtor.", "n2o", "elevator", "m3"],
  ],
  "codes": [
    [
      "english",
      "DIN-4102 and EN1627 apply; the part is K-9034.",
      "4102",
      "DIN4102",
      "DIN 4102",
      "EN 1627",
      "K9034",
      "9034",
    ],
    ["english", "Firmware v4.2.7 weighs 3kg and runs at 12V.", "4.2.7", "3 kg", "12 V"],
    [
      "english",
      "Call +49 30 901820 or (212) 736-5000 from the U.K. by 31.03.2027.",
      "+4930901820",
      "2127365000",
      "UK",
      "31/03/2027",
    ],
    ["english", "Pay to DE89 3704 0044 0532 0130 00.", "DE89370400440532013000"],
    ["english", "Pay to DE89370400440532013000.", "DE89 3704 0044 0532 0130 00"],
    ["english", "ISBN 978-0-306-40615-7, also 978 0 306 40616 4.", "9780306406157", "9780306406164"],
    ["english", "It has 2,750,000 visitors, costs $1,299.95 and opens at 6:45.", "2750000", "1299.95", "6.45"],
    ["german", "Der Preis beträgt 1.299,95 Euro, also 2.500 im Jahr.", "1299,95", "1.299,95", "2500"],
    ["german", "Die Kaution: 1.800,00 Euro.", "1800"],
    ["english", "Call parseHttpReply() of retry_policy.toml.", "http reply", "policy", "toml"],
    ["english", "Node.js calls UserAccountService.getUserById.", "user account service", "get user by id", "nodejs"],
    ["french", "Rendez-vous à 15h30. Il doit 12 345,67 euros.", "15:30", "15.30", "12345,67", "12345.67"],
    ["english", "The XR 720c has an HTTPServer.", "XR720c", "http server"],
    ["english", "B&B guests send an e-mail to the co-working desk.", "B&B", "email", "coworking"],
    [
      "english",
      'Run deploy <targetname>, then <input label="gazebo"/> at <https://shop.example.net/map>.',
      "targetname",
      "gazebo",
      "shop.example.net",
    ],
  ],
  "spellings of a language": [
    [
      "english",
      "The colour of the theatre’s licence was analysed by an organisation, and catalogued in centimetres.",
      "color",
      "theater",
      "license",
      "analyzed",
      "organization",
      "centimeter",
    ],
    ["english", "The color of the theater was analyzed.", "colour", "theatre", "analysed"],
    ["hindi", "हिन्दी में पाँच फ़ॉर्म भरें।", "हिंदी", "पांच", "फार्म"],
    ["portuguese", "Os hospitais são azuis, os papéis mensais.", "hospital", "azul", "papel", "mensal"],
    ["german", "Wir öffnen um neun und buchen alles.", "geöffnet", "gebucht"],
  ],
  "slips, and endings that no stemmer knows": [
    [
      "english",
      "Accommodation is refunded, and a reservation too.",
      "acommodation",
      "accomodation",
      "refnd",
      "reservaton",
    ],
    ["german", "Reklamationen und Versicherungen bearbeitet Frau Koch.", "Reclamation", "Reklmation", "versichert"],
    ["simple", "Wynagrodzenie pracowników wypłaca kadrowa.", "wynagrodzenia", "pracownikom", "wypłacić"],
    ["simple", "Formularz dla mamy leży w nowej szafie.", "mama", "nowy", "szafa"],
    ["simple", "Умови для мами в новій залі.", "мама", "новий", "зала", "умова"],
    ["portuguese", "Acho a chave.", "achar"],
    ["dutch", "Een wapen.", "wapens"],
    ["russian", "Договор расторгается письменно.", "расторжение", "расторгнуть"],
    ["french", "Les élèves doivent s'inscrire.", "inscription", "inscrit"],
  ],
  "irregular forms": [
    ["english", "Three mice ate the loaves while the nurses slept.", "mouse", "loaf", "sleep", "sleeping", "eaten"],
    ["english", "A mouse sleeps in every loaf.", "mice", "slept", "loaves"],
    ["german", "Der Gast verließ die Stadt und schrieb nie.", "verlassen", "geschrieben", "schreiben"],
    ["german", "Bitte rufen Sie den Hausmeister, bevor Sie abreisen.", "anrufen", "gerufen", "abgereist", "abzureisen"],
    [
      "german",
      "Der Umschlag wird abgeschickt, sobald er gefunden ist.",
      "abschicken",
      "abzuschicken",
      "finden",
      "Finder",
    ],
    ["german", "Die Frist für die Lieferung ist kurz.", "Lieferungsfrist"],
    ["french", "Elle a vu les travaux des hôpitaux.", "travail", "hôpital", "voir"],
    ["spanish", "Los jueces duermen y cuentan.", "juez", "dormir", "contar"],
    ["italian", "Gli uomini hanno scritto.", "uomo", "scrivere"],
    ["portuguese", "Ele trouxe os pães.", "trazer", "pão"],
    ["dutch", "De schepen zijn verkocht in Ziekenhuisstraat.", "schip", "verkopen", "ziekenhuis"],
    ["russian", "Дети нашли письма.", "ребёнок", "найти"],
    ["swedish", "Böckerna gick förlorade.", "bok", "gå"],
    ["arabic", "الأطفال والمدارس في المدن.", "طفل", "مدرسة", "مدينة"],
  ],
  "names that are stop words elsewhere": [
    ["english", "The desk is run by IT. Ask Will Turner.", "IT", "Where is IT?", "Will", "Who is Will?"],
    ["english", "We can’t deliver on Sundays.", "can't"],
  ],
  "parts of German compounds": [
    ["german", "Das Haus hat eine Dachterrasse und eine Wärmepumpe.", "Terrasse", "Pumpe", "Wärme"],
    ["german", "Der Bildungsurlaub wird im Mai gewährt.", "Urlaub", "Bildung"],
    ["german", "Die Liste der Gäste liegt an der Rezeption.", "Gästeliste"],
    [
      "german",
      "Die Kurs-Leiter:innen, Trainer*innen und Helfer/-innen grüßen.",
      "Leiterinnen",
      "Trainerinnen",
      "Helferinnen",
    ],
    ["german", "Am Stadthafen.", "Hafen"],
  ],
};

/** Of two texts, the one that is written as it was asked comes first. */
const exact: [language: string, first: string, second: string, asked: string][] = [
  ["english", "The resume is due.", "The résumé is due.", "resume"],
  ["english", "The résumé is due.", "The resume is due.", "résumé"],
  ["english", "The preorder is open.", "The pre-order is open.", "preorder"],
  ["english", "The pre-order is open.", "The preorder is open.", "pre-order"],
  ["german", "Die Frist ist kurz.", "Die Zahlungsfrist ist kurz.", "Frist"],
  ["simple", "Mama czeka.", "Dla mamy.", "mama"],
];

Deno.test("words are found however they are spelled", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId } = await insertCoach(postgres);

  async function store(language: string, texts: string[]): Promise<string> {
    const coachId = await value(
      "insert into coach_profiles (account_id, name, title, instructions, language) values ($1, 'A', 'C', 'T', $2) returning id",
      [accountId, language],
    );
    for (const [index, content] of texts.entries()) {
      const fileId = await value(
        `insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path, status, due_at)
         values ($1, $2, $3, 1, 'text/plain', 'documents', repeat($3, 64), $2 || $3, 'ready', null) returning id`,
        [accountId, coachId, String(index)],
      );
      await value("select store_passages($1, 0, $2)", [fileId, JSON.stringify([{ content }])]);
    }
    return coachId;
  }
  const search = async (coachId: string, asked: string, said: string[] | null = null) =>
    (await postgres.query<{ content: string }>("select content from search_passages($1, $2, 3, $3)", [
      coachId,
      asked,
      said,
    ]))
      .rows.map(({ content }) => content);
  const files = async (coachId: string, search: string) =>
    (await value("select search_knowledge($1, $2, $3)", [{ account_id: accountId }, coachId, search])).data.length;

  for (const [name, cases] of Object.entries(found)) {
    await t.step(name, async () => {
      for (const [language, stored, ...asked] of cases) {
        const coachId = await store(language, [stored]);
        for (const words of asked) {
          assertEquals(await search(coachId, words), [stored], words);
          assertEquals(await files(coachId, words), 1, words);
        }
      }
    });
  }
  for (const [language, first, second, asked] of exact) {
    await t.step(`${asked}: as it is written comes first`, async () => {
      for (const texts of [[first, second], [second, first]]) {
        assertEquals(await search(await store(language, texts), asked), [first, second]);
      }
    });
  }
  await t.step("a number with a small digit is not another number", async () => {
    const coachId = await store("english", ["The fee is 50¹ euros."]);
    assertEquals([await search(coachId, "501"), (await search(coachId, "50")).length], [[], 1]);
  });
  await t.step("words that only look alike are not found, nor are those like a word that the files have", async () => {
    const coachId = await store("english", ["The horse eats oats in the park.", "The farmer has a form."]);
    for (const asked of ["house", "oath", "parcel", "2026"]) assertEquals(await search(coachId, asked), [], asked);
    assertEquals(await search(coachId, "form"), ["The farmer has a form."]);
    // Each takes time: at most four are looked for.
    const foreign = ["ablaut", "brumaire", "cicerone", "divan"];
    const found = [foreign, foreign.slice(1)].map((words) => search(coachId, [...words, "famrer"].join(" ")));
    assertEquals(await Promise.all(found), [[], ["The farmer has a form."]]);
  });
  await t.step("stop words say nothing in a sentence, nor does a message of them", async () => {
    const coachId = await store("english", [
      "Ask Will Turner. It runs at night.",
      "We can’t deliver.",
      "HOW IT IS DONE.",
    ]);
    assertEquals(await search(coachId, "Will you? And it, can it? Don't"), []);
    assertEquals(await search(coachId, "HOW IS IT"), []);
    assertEquals(await search(coachId, "will they", ["uWhat do you deliver?"]), ["We can’t deliver."]);
  });
  await t.step("a word of three letters is looked for in compounds only if no file has it", async () => {
    const coachId = await store("german", ["Der Ort ist schön.", "Das Lastwagenkarussell steht. Ein Passwort reicht."]);
    assertEquals(await search(coachId, "Ort"), ["Der Ort ist schön."]);
  });
  await t.step("a compound is only cut into words of the files", async () => {
    const coachId = await store("german", ["Der Kontrast ist hoch.", "Die Rast ist kurz."]);
    assertEquals((await search(coachId, "Kontrastrast")).length, 2);
    assertEquals(await search(coachId, "Kontrabass"), []);
  });
  await t.step("a long message is searched whole, its last paragraph first", async () => {
    const coachId = await store("english", ["Owls hunt voles.", "Heron chicks eat frogs.", "Swifts sleep in flight."]);
    const filler = "I was told that nobody here would mind. ".repeat(600);
    const message = `My owls are well. ${filler}\n\nDo swifts sleep? ${filler}\n\nWhat do heron chicks eat?\n`;
    assertEquals(await search(coachId, message), [
      "Heron chicks eat frogs.",
      "Swifts sleep in flight.",
      "Owls hunt voles.",
    ]);
  });
  await t.step("the excerpt of a file shows the word, however it is spelled", async () => {
    const coachId = await store("english", [`${"Nothing happens here. ".repeat(60)}Then the café opens.`]);
    const { data: [file] } = await value("select search_knowledge($1, $2, $3)", [
      { account_id: accountId },
      coachId,
      "cafe",
    ]);
    assertMatch(file.snippet, /café/);
  });
  await t.step("threads are found in the same way", async () => {
    const coachId = await store("english", []);
    await beginTurn(postgres, { account_id: accountId, coach_id: coachId, content: "Is the café near K-9034?" });
    for (const search of ["cafe", "k9034", "café ne"]) {
      const { data } = await value("select search_threads($1, 'u', $2)", [{ account_id: accountId }, { search }]);
      assertEquals(data.length, 1, search);
      assertEquals(data[0].excerpt[1], search === "k9034" ? "K" : "café", search);
    }
  });
  await t.step("an answer that names no source draws on passages that spell its words in another way", async () => {
    const content = "Señora Ibáñez bakes a soufflé.";
    const coachId = await store("english", [
      content,
      "Owls hunt voles.",
      "Herons eat frogs.",
      "Swifts sleep.",
      "Terns dive.",
      "Ants dig.",
    ]);
    const [fileId, passageId] = [
      await value("select id from knowledge_files where coach_id = $1 and name = '0'", [coachId]),
      await value("select to_json(md5($1::text))", [content]),
    ];
    const sources = [{ kind: "passage", fileId, passageId }];
    const chosen = await value("select private.choose_given($1, $2, $3)", [
      coachId,
      "Senora Ibanez makes the souffle.",
      JSON.stringify(sources),
    ]);
    assertEquals(chosen, sources);
  });
});
