/**
 * Paragraphs in many languages and forms, written for the tests, and the tokens that OpenAI's o200k_base makes of each, as
 * counted by the npm package gpt-tokenizer.
 */
export const tokenSamples: [name: string, tokens: number, text: string][] = [
  [
    "English",
    84,
    "I would start with the calendar rather than with the method. Write down when you were tired last week, what you had eaten, and who had asked you for something just before. After seven days you will see a pattern, and it is usually a different one from the one you expected. Only then is it worth changing anything, and one change at a time, because otherwise you will never know which of them helped.",
  ],
  [
    "German",
    87,
    "Ich würde mit dem Kalender anfangen und nicht mit der Methode. Schreiben Sie auf, wann Sie letzte Woche müde waren, was Sie gegessen hatten und wer kurz zuvor etwas von Ihnen wollte. Nach sieben Tagen erkennen Sie ein Muster, und meistens ist es ein anderes als das, das Sie erwartet haben. Erst dann lohnt es sich, etwas zu ändern, und immer nur eines auf einmal, sonst wissen Sie nie, was geholfen hat.",
  ],
  [
    "French",
    101,
    "Je commencerais par l'agenda plutôt que par la méthode. Notez à quels moments vous étiez fatigué la semaine dernière, ce que vous aviez mangé et qui venait de vous demander quelque chose. Au bout de sept jours, vous verrez apparaître une habitude, et c'est rarement celle que vous attendiez. Alors seulement, il vaut la peine de changer quelque chose, une seule chose à la fois, sinon vous ne saurez jamais ce qui vous a aidé.",
  ],
  [
    "Spanish",
    81,
    "Yo empezaría por la agenda y no por el método. Apunte cuándo estuvo cansado la semana pasada, qué había comido y quién le había pedido algo justo antes. Después de siete días verá un patrón, y normalmente no es el que esperaba. Solo entonces merece la pena cambiar algo, y una sola cosa cada vez, porque de lo contrario nunca sabrá cuál de los cambios le ayudó.",
  ],
  [
    "Italian",
    89,
    "Io comincerei dal calendario e non dal metodo. Scriva quando era stanco la settimana scorsa, che cosa aveva mangiato e chi le aveva chiesto qualcosa poco prima. Dopo sette giorni vedrà uno schema, e di solito non è quello che si aspettava. Solo allora vale la pena di cambiare qualcosa, e una cosa alla volta, perché altrimenti non saprà mai che cosa è servito davvero.",
  ],
  [
    "Portuguese",
    80,
    "Eu começaria pela agenda e não pelo método. Anote quando esteve cansado na semana passada, o que tinha comido e quem lhe pediu alguma coisa pouco antes. Depois de sete dias vai reconhecer um padrão, e geralmente não é aquele que esperava. Só então vale a pena mudar alguma coisa, e uma de cada vez, porque de outro modo nunca saberá qual das mudanças ajudou.",
  ],
  [
    "Dutch",
    81,
    "Ik zou met de agenda beginnen en niet met de methode. Schrijf op wanneer u vorige week moe was, wat u had gegeten en wie vlak daarvoor iets van u wilde. Na zeven dagen ziet u een patroon, en meestal is het een ander patroon dan u had verwacht. Pas dan heeft het zin om iets te veranderen, en telkens maar één ding, want anders weet u nooit wat er heeft geholpen.",
  ],
  [
    "Swedish",
    98,
    "Jag skulle börja med kalendern och inte med metoden. Skriv upp när du var trött förra veckan, vad du hade ätit och vem som hade bett dig om något strax innan. Efter sju dagar ser du ett mönster, och oftast är det ett annat än det du väntade dig. Först då är det värt att ändra något, och bara en sak i taget, för annars får du aldrig veta vad som hjälpte.",
  ],
  [
    "Polish",
    122,
    "Zacząłbym od kalendarza, a nie od metody. Proszę zapisać, kiedy w zeszłym tygodniu był pan zmęczony, co pan wcześniej jadł i kto chwilę przedtem o coś pana prosił. Po siedmiu dniach zobaczy pan pewien wzór i zwykle jest on inny niż ten, którego się pan spodziewał. Dopiero wtedy warto coś zmienić, i to jedną rzecz naraz, bo inaczej nigdy się pan nie dowie, co pomogło.",
  ],
  [
    "Czech",
    117,
    "Začal bych kalendářem, a ne metodou. Zapište si, kdy jste byl minulý týden unavený, co jste předtím jedl a kdo od vás těsně předtím něco chtěl. Po sedmi dnech uvidíte určitý vzorec a většinou bude jiný, než jste čekal. Teprve potom má smysl něco měnit, a to vždy jen jednu věc najednou, protože jinak se nikdy nedozvíte, co vlastně pomohlo.",
  ],
  [
    "Finnish",
    107,
    "Aloittaisin kalenterista enkä menetelmästä. Kirjoita muistiin, milloin olit viime viikolla väsynyt, mitä olit syönyt ja kuka oli juuri pyytänyt sinulta jotakin. Seitsemän päivän jälkeen näet toistuvan kuvion, ja yleensä se on eri kuin odotit. Vasta sitten kannattaa muuttaa jotakin, ja vain yhtä asiaa kerrallaan, koska muuten et koskaan saa tietää, mikä niistä auttoi.",
  ],
  [
    "Turkish",
    103,
    "Ben yöntemle değil, takvimle başlardım. Geçen hafta ne zaman yorgun olduğunuzu, öncesinde ne yediğinizi ve kimin sizden bir şey istediğini yazın. Yedi gün sonra bir düzen göreceksiniz ve bu genellikle beklediğinizden farklı olur. Ancak o zaman bir şeyi değiştirmeye değer; her seferinde yalnızca bir şeyi değiştirin, çünkü yoksa hangisinin işe yaradığını asla bilemezsiniz.",
  ],
  [
    "Vietnamese",
    103,
    "Tôi sẽ bắt đầu từ lịch làm việc chứ không phải từ phương pháp. Hãy ghi lại tuần trước bạn mệt vào lúc nào, trước đó bạn đã ăn gì và ai vừa nhờ bạn làm một việc gì đó. Sau bảy ngày bạn sẽ nhận ra một quy luật, và thường nó khác với điều bạn mong đợi. Chỉ khi đó mới đáng thay đổi điều gì, và mỗi lần chỉ một điều, nếu không bạn sẽ không bao giờ biết điều nào đã giúp ích.",
  ],
  [
    "Russian",
    97,
    "Я бы начал с календаря, а не с метода. Запишите, когда на прошлой неделе вы чувствовали усталость, что вы перед этим ели и кто незадолго до этого вас о чём-то просил. Через семь дней вы увидите закономерность, и обычно она не та, которую вы ожидали. Только тогда стоит что-то менять, причём по одному изменению за раз, иначе вы никогда не узнаете, что именно помогло.",
  ],
  [
    "Ukrainian",
    122,
    "Я почав би з календаря, а не з методу. Запишіть, коли минулого тижня ви були втомлені, що ви перед тим їли і хто щойно перед тим вас про щось просив. Через сім днів ви побачите закономірність, і зазвичай вона не та, на яку ви чекали. Лише тоді варто щось змінювати, і щоразу тільки щось одне, бо інакше ви ніколи не дізнаєтеся, що саме допомогло.",
  ],
  [
    "Greek",
    128,
    "Θα ξεκινούσα από το ημερολόγιο και όχι από τη μέθοδο. Γράψτε πότε ήσασταν κουρασμένος την περασμένη εβδομάδα, τι είχατε φάει και ποιος σας είχε ζητήσει κάτι λίγο πριν. Ύστερα από επτά ημέρες θα δείτε ένα μοτίβο, και συνήθως δεν είναι αυτό που περιμένατε. Μόνο τότε αξίζει να αλλάξετε κάτι, και ένα πράγμα κάθε φορά, γιατί αλλιώς δεν θα μάθετε ποτέ τι σας βοήθησε.",
  ],
  [
    "Arabic",
    103,
    "كنت سأبدأ بالتقويم لا بالطريقة. اكتب متى شعرت بالتعب في الأسبوع الماضي، وماذا أكلت قبل ذلك، ومن طلب منك شيئًا قبله بقليل. بعد سبعة أيام سترى نمطًا متكررًا، وهو في الغالب ليس النمط الذي كنت تتوقعه. عندئذ فقط يستحق الأمر أن تغيّر شيئًا، وشيئًا واحدًا في كل مرة، وإلا فلن تعرف أبدًا ما الذي ساعدك.",
  ],
  [
    "Persian",
    107,
    "من از تقویم شروع می‌کردم و نه از روش. بنویسید که هفته گذشته چه وقت خسته بودید، پیش از آن چه خورده بودید و چه کسی کمی پیش از آن از شما چیزی خواسته بود. بعد از هفت روز الگویی خواهید دید و معمولاً همان الگویی نیست که انتظار داشتید. تنها آن وقت ارزش دارد چیزی را تغییر دهید، و هر بار فقط یک چیز را، وگرنه هرگز نخواهید دانست کدام یک کمک کرده است.",
  ],
  [
    "Hebrew",
    95,
    "הייתי מתחיל מהיומן ולא מהשיטה. רשום מתי היית עייף בשבוע שעבר, מה אכלת לפני כן ומי ביקש ממך משהו רגע קודם. אחרי שבעה ימים תראה דפוס, ובדרך כלל הוא שונה מזה שציפית לו. רק אז כדאי לשנות משהו, ובכל פעם דבר אחד בלבד, כי אחרת לעולם לא תדע מה מהשינויים באמת עזר.",
  ],
  [
    "Hindi",
    105,
    "मैं तरीके से नहीं, कैलेंडर से शुरू करूँगा। लिखिए कि पिछले हफ्ते आप कब थके हुए थे, उससे पहले आपने क्या खाया था और किसने ठीक पहले आपसे कुछ माँगा था। सात दिन बाद आपको एक ढर्रा दिखाई देगा, और आम तौर पर वह वैसा नहीं होता जैसा आपने सोचा था। तभी कुछ बदलना ठीक है, और एक बार में एक ही चीज़, वरना आप कभी नहीं जान पाएँगे कि किस बदलाव से मदद मिली।",
  ],
  [
    "Bengali",
    104,
    "আমি পদ্ধতি দিয়ে নয়, ক্যালেন্ডার দিয়ে শুরু করতাম। গত সপ্তাহে কখন ক্লান্ত ছিলেন, তার আগে কী খেয়েছিলেন এবং ঠিক আগে কে আপনার কাছে কিছু চেয়েছিল, তা লিখে রাখুন। সাত দিন পরে একটা ধরন চোখে পড়বে, আর সাধারণত সেটা আপনি যা ভেবেছিলেন তা নয়। তখনই কিছু বদলানো উচিত, একবারে একটা জিনিস, নইলে কোনটা কাজে লেগেছে তা কখনো জানতে পারবেন না।",
  ],
  [
    "Thai",
    125,
    "ผมจะเริ่มจากปฏิทิน ไม่ใช่จากวิธีการ ลองจดว่าเมื่อสัปดาห์ที่แล้วคุณรู้สึกเหนื่อยตอนไหน ก่อนหน้านั้นคุณกินอะไร และใครเพิ่งขอให้คุณทำอะไรบางอย่าง หลังจากเจ็ดวันคุณจะเห็นรูปแบบหนึ่ง และส่วนใหญ่จะไม่ใช่รูปแบบที่คุณคาดไว้ เมื่อถึงตอนนั้นจึงคุ้มค่าที่จะเปลี่ยนอะไรสักอย่าง และเปลี่ยนทีละอย่างเท่านั้น ไม่อย่างนั้นคุณจะไม่มีวันรู้ว่าอะไรช่วยได้",
  ],
  [
    "Japanese",
    135,
    "私なら方法ではなく、カレンダーから始めます。先週いつ疲れを感じたか、その前に何を食べたか、直前に誰から何を頼まれたかを書き留めてください。七日たつと一つの傾向が見えてきますが、たいていは予想していたものとは違います。何かを変えるのはそれからで十分ですし、一度に変えるのは一つだけにしましょう。そうしないと、どの変化が役に立ったのか、いつまでもわかりません。",
  ],
  [
    "Chinese",
    90,
    "我会先从日程表入手，而不是先谈方法。请记下上周你什么时候觉得累，之前吃了什么，以及刚才是谁向你提出了要求。七天之后你会看到一个规律，而且它通常和你原来预想的不一样。到那时才值得做出改变，而且每次只改变一件事，否则你永远不会知道究竟是哪一个改变起了作用。",
  ],
  [
    "Traditional Chinese",
    112,
    "我會先從行事曆著手，而不是先談方法。請記下上週你什麼時候覺得累，之前吃了什麼，以及剛才是誰向你提出了要求。七天之後你會看到一個規律，而且它通常和你原本預想的不一樣。到那時才值得做出改變，而且每次只改變一件事，否則你永遠不會知道究竟是哪一個改變發揮了作用。",
  ],
  [
    "Korean",
    117,
    "저라면 방법이 아니라 달력에서 시작하겠습니다. 지난주에 언제 피곤했는지, 그 전에 무엇을 먹었는지, 바로 직전에 누가 무엇을 부탁했는지 적어 보세요. 이레가 지나면 어떤 흐름이 보일 텐데, 대개는 예상했던 것과 다릅니다. 그때 비로소 무언가를 바꿀 만하고, 한 번에 하나씩만 바꾸어야 합니다. 그러지 않으면 무엇이 도움이 되었는지 끝내 알 수 없습니다.",
  ],
  [
    "Markdown",
    122,
    "## Your first week\n\n1. **Write down** when you were tired, and what came before.\n2. **Look for a pattern** after seven days:\n   - always after lunch?\n   - always after the same meeting?\n3. **Change one thing**, and only one.\n\n| Day | Tired at | Before that |\n| --- | --- | --- |\n| Monday | 14:30 | lunch with the team |\n| Tuesday | 16:00 | budget meeting |\n| Wednesday | 14:45 | lunch, alone |\n\n> If nothing repeats, wait another week [2].",
  ],
  [
    "Code",
    144,
    "/** The median of some numbers; null for none. */\nexport function median(values: number[]): number | null {\n  if (values.length === 0) return null;\n  const sorted = values.toSorted((one, other) => one - other);\n  const middle = Math.floor(sorted.length / 2);\n  if (sorted.length % 2 === 1) return sorted[middle]!;\n  return (sorted[middle - 1]! + sorted[middle]!) / 2;\n}\n\nfor (const row of rows) {\n  const key = `${row.day}-${row.coachId}`;\n  totals.set(key, (totals.get(key) ?? 0) + row.tokens);\n}\n",
  ],
  [
    "Python",
    109,
    'def moving_average(values, size=7):\n    """Yields the average of each window of so many values."""\n    window = collections.deque(maxlen=size)\n    for value in values:\n        window.append(value)\n        if len(window) == size:\n            yield sum(window) / size\n\n\nwith open("diary.csv", newline="") as file:\n    rows = list(csv.DictReader(file))\nprint(json.dumps([round(x, 2) for x in moving_average([float(row["hours"]) for row in rows])]))\n',
  ],
  [
    "JSON",
    113,
    '{"thread_id":"5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f","message":{"role":"assistant","content":"Write it down.","created_at":"2026-11-22T09:15:27.041Z"},"sources":[{"kind":"passage","number":1,"filename":"Sleep diary.pdf","page":12,"heading":null,"score":0.8731}],"status":"complete","author":"ai"}',
  ],
  [
    "Numbers",
    144,
    "2026-01-31: 1,204.50 EUR; 2026-02-28: 998.00 EUR; 2026-03-31: 1,377.25 EUR. Total: 3,579.75 EUR, of which 19 % VAT = 571.56 EUR. Tel. +49 30 1234567, fax +49 30 7654321. IBAN DE89 3704 0044 0532 0130 00. 3.14159265358979, 2.71828182845905, 1.41421356237310, 6.02214076e23.",
  ],
  [
    "Emoji",
    95,
    "Great job today! 🎉🎉 Tomorrow: breakfast at 8 🥣☕️, a short walk 🚶‍♀️🌳 and then one hour of work 💻📈. If it rains 🌧️, stay inside and stretch 🧘🏽‍♂️. Tell me how it went 👍🙂❤️. And do not forget to call your family 👨‍👩‍👧‍👦 tonight 📞😊!",
  ],
];

/**
 * The first articles of the Universal Declaration of Human Rights, counted by the same package: texts to which the
 * estimator was not fitted.
 */
export const unseenSamples: [name: string, tokens: number, text: string][] = [
  [
    "English",
    70,
    "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood. Everyone has the right to life, liberty and security of person. No one shall be held in slavery or servitude; slavery and the slave trade shall be prohibited in all their forms.",
  ],
  [
    "German",
    82,
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen. Jeder hat das Recht auf Leben, Freiheit und Sicherheit der Person. Niemand darf in Sklaverei oder Leibeigenschaft gehalten werden; Sklaverei und Sklavenhandel sind in allen ihren Formen verboten.",
  ],
  [
    "French",
    74,
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité. Tout individu a droit à la vie, à la liberté et à la sûreté de sa personne. Nul ne sera tenu en esclavage ni en servitude.",
  ],
  [
    "Spanish",
    72,
    "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros. Todo individuo tiene derecho a la vida, a la libertad y a la seguridad de su persona. Nadie estará sometido a esclavitud ni a servidumbre.",
  ],
  [
    "Portuguese",
    52,
    "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência, devem agir uns para com os outros em espírito de fraternidade. Todo o indivíduo tem direito à vida, à liberdade e à segurança pessoal.",
  ],
  [
    "Italian",
    69,
    "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza e devono agire gli uni verso gli altri in spirito di fratellanza. Ogni individuo ha diritto alla vita, alla libertà ed alla sicurezza della propria persona.",
  ],
  [
    "Russian",
    61,
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. Каждый человек имеет право на жизнь, на свободу и на личную неприкосновенность.",
  ],
  [
    "Chinese",
    81,
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。人人有权享有生命、自由和人身安全。任何人不得使为奴隶或奴役；一切形式的奴隶制度和奴隶买卖，均应予以禁止。",
  ],
  [
    "Japanese",
    95,
    "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。すべて人は、生命、自由及び身体の安全に対する権利を有する。",
  ],
  [
    "Arabic",
    56,
    "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء. لكل فرد الحق في الحياة والحرية وسلامة شخصه.",
  ],
  [
    "Polish",
    74,
    "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa. Każdy człowiek ma prawo do życia, wolności i bezpieczeństwa swej osoby.",
  ],
  [
    "Dutch",
    59,
    "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en geweten, en behoren zich jegens elkander in een geest van broederschap te gedragen. Een ieder heeft het recht op leven, vrijheid en onschendbaarheid van zijn persoon.",
  ],
  [
    "Turkish",
    66,
    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler. Yaşamak, hürriyet ve kişi emniyeti her ferdin hakkıdır.",
  ],
  [
    "Korean",
    70,
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다. 모든 사람은 생명과 신체의 자유와 안전에 대한 권리를 가진다.",
  ],
  [
    "Hindi",
    54,
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।",
  ],
  [
    "Indonesian",
    47,
    "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan.",
  ],
  [
    "Swahili",
    36,
    "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa watendeane kindugu.",
  ],
];
