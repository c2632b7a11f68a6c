-- A demo account with two coaches, what was said with them in the last 30 days, and what that has left for the expert.
-- For `npm start` and `supabase start`; deploying never runs this file. All people in it are invented.
-- Conversations come once, with the account: what somebody deletes afterwards stays deleted.

do $demo$
declare
  demo constant uuid := '00000000-0000-4000-8000-000000000001';
  -- The questions, as the service reads them (normal_question.ts).
  asked constant private.normal_question[] := array(select jsonb_populate_recordset(null::private.normal_question, $json$[
    {"content":"What do I do when my own manager gives tasks to my team behind my back?","language":"english","key":"b64f8c7ce19729b9ba2d860934e24e50","plain_key":"b64f8c7ce19729b9ba2d860934e24e50",
      "words":["what","do","i","do","when","my","own","manag","give","task","to","my","team","behind","my","back"],"content_words":["manag","give","task","team","behind","back"]},
    {"content":"How do I lead people in a time zone eight hours away?","language":"english","key":"561aa6fe5d83e154d78a1d2d8acaa877","plain_key":"561aa6fe5d83e154d78a1d2d8acaa877",
      "words":["how","do","i","lead","peopl","in","time","zone","eight","hour","away"],"content_words":["lead","peopl","time","zone","eight","hour","away"]},
    {"content":"Should I tell my team what I earn?","language":"english","key":"74aeb70d1a6443ed28a35fa5b56f8355","plain_key":"74aeb70d1a6443ed28a35fa5b56f8355",
      "words":["should","i","tell","my","team","what","i","earn"],"content_words":["tell","team","earn"]},
    {"content":"How long should a one-to-one be?","language":"english","key":"6ab26d18e6394e8bd657cacf8fda25df","plain_key":"6ab26d18e6394e8bd657cacf8fda25df",
      "words":["how","long","should","one","to","one","be"],"content_words":["long","one"]},
    {"content":"How do I prepare for a conversation in which I let somebody go?","language":"english","key":"a61428c77f48f07645f6290cf1a35dfe","plain_key":"a61428c77f48f07645f6290cf1a35dfe",
      "words":["how","do","i","prepar","for","convers","in","which","i","let","somebodi","go"],"content_words":["prepar","convers","let","somebodi","go"]},
    {"content":"Do you take private clients?","language":"english","key":"8500275d0a5e03a57eb1de22e9be2057","plain_key":"8500275d0a5e03a57eb1de22e9be2057",
      "words":["do","you","take","privat","client"],"content_words":["take","privat","client"]},
    {"content":"How long should the handover of my old job take?","language":"english","key":"524a763ac968a001d0406b5ff8f36ee3","plain_key":"524a763ac968a001d0406b5ff8f36ee3",
      "words":["how","long","should","handov","of","my","old","job","take"],"content_words":["long","handov","old","job","take"]},
    {"content":"Do you teach a course in my town?","language":"english","key":"9fecbbfd2f68909510ef2b229afd95a6","plain_key":"9fecbbfd2f68909510ef2b229afd95a6",
      "words":["do","you","teach","cours","in","my","town"],"content_words":["teach","cours","town"]},
    {"content":"Do you offer private coaching?","language":"english","key":"baca1271c02a3bd4cd1252e3735e1a9f","plain_key":"baca1271c02a3bd4cd1252e3735e1a9f",
      "words":["do","you","offer","privat","coach"],"content_words":["offer","privat","coach"]},
    {"content":"Can I book an hour with you?","language":"english","key":"064072885b6f5c596531762d06e2b8a5","plain_key":"064072885b6f5c596531762d06e2b8a5",
      "words":["can","i","book","hour","with","you"],"content_words":["book","hour"]},
    {"content":"Is what I write here confidential?","language":"english","key":"0602adc090660de895fab9d61c5e0dcd","plain_key":"0602adc090660de895fab9d61c5e0dcd",
      "words":["is","what","i","write","here","confidenti"],"content_words":["write","confidenti"]},
    {"content":"Who reads what I write here?","language":"english","key":"890e7daa753be2a77087e3962b74dcb1","plain_key":"890e7daa753be2a77087e3962b74dcb1",
      "words":["who","read","what","i","write","here"],"content_words":["read","write"]}
  ]$json$));
  is_new boolean;
begin
  insert into public.accounts (id, name) values (demo, 'Demo') on conflict do nothing;
  is_new := found;

  insert into public.coach_profiles (id, account_id, name, title, greeting, starters, no_answer, sources_are_open, instructions)
  values (
    'demo-coach',
    demo,
    'Mara Lindqvist',
    'Leadership Coach',
    'Hello, I am Mara. I coach people who lead a team for the first time. Tell me what is on your mind, or begin with one of these questions.',
    array[
      'Whom should I meet in my first week, and what should I ask?',
      'How do I give feedback that lands?',
      'What should I write down before I delegate something?',
      'How long should a one-to-one be, and how often?',
      'Hur leder jag mina tidigare kollegor?',
      -- No file says it: what happens then is the point of the demo.
      'May I bring my dog to the workshop?'
    ],
    'I do not know that, and I would rather not guess. I have passed your question on to the Mara behind me, who answers at her desk.',
    true,
    'You coach people who lead teams for the first time. You ask one question at a time and you wait for the answer.

Your convictions:
A good first meeting with a new team is nine parts listening. Ask everybody what should never change, and what should have changed long ago.
Feedback is a gift only when it is specific, recent, and about something the person can change.
Delegation starts with the outcome, never with the steps: say what good looks like, agree on a date to look at it together, and keep your hands in your pockets until then.
A conflict that is avoided does not go away; it moves into the calendar of everybody else.
Rest is part of the work. A leader who never stops teaches a team that stopping is forbidden.

You speak plainly and warmly, in short paragraphs, and you end with a question that moves the person forward.'
  ), (
    -- Nobody is the expert behind this one: a server can be, with a key of the scope `expert`.
    'demo-baker',
    demo,
    'Tomás Iriarte',
    'Bakes bread in an ordinary oven',
    'Tomás here. Flour, water, salt, time. What is on your worktop, and what is it doing?',
    array[
      'My loaf comes out flat. What do I check first?',
      'How do I start a sourdough from nothing?',
      'How much water do I use for 500 g of flour?',
      'I only have the evening for baking. When do I do what?'
    ],
    null,
    true,
    'You teach people to bake good bread at home, in an ordinary oven, without gadgets. You have baked for thirty years and burnt a great deal.

Your convictions:
Weigh everything. A cup of flour is a rumour, 500 g is a fact.
Look at the dough, not at the clock: the clock knows nothing of your kitchen.
Change one thing at a time, and write it down.
A loaf that went wrong is still breakfast.

You are dry and brief. You answer with numbers first, in grams, degrees Celsius and minutes, then with one reason. You ask what the dough looks like before you guess. You never give advice on allergies or illness.'
  )
  on conflict do nothing;

  if not is_new then
    return;
  end if;

  -- Several people ask the same: `says` is the number of the conversation, and the title until it has been said.
  insert into public.threads (id, coach_id, user_id, title, created_at, updated_at)
  select ('00000000-0000-4000-8000-' || lpad(thread.number::text, 6, '0') || '000000')::uuid, thread.coach_id,
    thread.user_id, thread.says::text, began.at, began.at
  from (values
    (1, 1, 'demo-coach', 'visitor-1', 29, time '08:40'),
    (2, 2, 'demo-coach', 'visitor-2', 27, time '17:05'),
    (3, 3, 'demo-coach', 'visitor-3', 25, time '12:15'),
    (4, 4, 'demo-coach', 'visitor-4', 24, time '19:30'),
    (5, 5, 'demo-coach', 'visitor-5', 22, time '09:10'),
    (6, 6, 'demo-coach', 'visitor-6', 21, time '07:55'),
    (7, 7, 'demo-coach', 'visitor-7', 19, time '20:20'),
    (8, 8, 'demo-coach', 'visitor-8', 18, time '10:45'),
    (9, 9, 'demo-coach', 'visitor-9', 16, time '13:30'),
    (10, 10, 'demo-coach', 'visitor-1', 15, time '08:05'),
    (11, 11, 'demo-coach', 'visitor-10', 13, time '16:50'),
    (12, 12, 'demo-coach', 'visitor-11', 12, time '21:15'),
    (13, 13, 'demo-coach', 'visitor-12', 11, time '11:25'),
    (14, 14, 'demo-coach', 'visitor-13', 9, time '18:40'),
    (15, 15, 'demo-coach', 'visitor-14', 8, time '08:30'),
    (16, 16, 'demo-coach', 'visitor-15', 6, time '09:20'),
    (17, 17, 'demo-coach', 'visitor-16', 5, time '14:00'),
    (18, 18, 'demo-coach', 'visitor-17', 4, time '07:35'),
    (19, 19, 'demo-coach', 'visitor-18', 3, time '12:50'),
    (20, 20, 'demo-coach', 'visitor-19', 1, time '15:20'),
    (21, 21, 'demo-coach', 'visitor-20', 1, time '09:00'),
    -- These become the demo user's, once there is one: see demo.ts.
    (22, 22, 'demo-coach', 'demo-user', 20, time '10:10'),
    (23, 23, 'demo-coach', 'demo-user', 2, time '16:30'),
    (34, 34, 'demo-baker', 'demo-user', 7, time '18:15'),
    (31, 31, 'demo-baker', 'visitor-2', 26, time '17:40'),
    (32, 32, 'demo-baker', 'visitor-21', 17, time '19:05'),
    (33, 33, 'demo-baker', 'visitor-22', 10, time '08:20'),
    (35, 35, 'demo-baker', 'visitor-23', 2, time '11:10'),
    (41, 2, 'demo-coach', 'visitor-24', 23, time '08:20'),
    (42, 1, 'demo-coach', 'visitor-25', 19, time '07:40'),
    (43, 22, 'demo-coach', 'visitor-26', 16, time '15:05'),
    (44, 5, 'demo-coach', 'visitor-3', 14, time '11:45'),
    (45, 11, 'demo-coach', 'visitor-27', 10, time '17:30'),
    (46, 21, 'demo-coach', 'visitor-28', 7, time '06:55'),
    (47, 2, 'demo-coach', 'visitor-29', 6, time '13:15'),
    (48, 1, 'demo-coach', 'visitor-30', 5, time '08:10'),
    (49, 23, 'demo-coach', 'visitor-24', 4, time '16:25'),
    (50, 2, 'demo-coach', 'visitor-31', 3, time '09:35'),
    (51, 11, 'demo-coach', 'visitor-32', 3, time '19:10'),
    (52, 1, 'demo-coach', 'visitor-33', 2, time '07:50'),
    (53, 22, 'demo-coach', 'visitor-16', 2, time '14:40'),
    (54, 5, 'demo-coach', 'visitor-34', 1, time '10:15'),
    (55, 21, 'demo-coach', 'visitor-35', 1, time '18:10'),
    (61, 32, 'demo-baker', 'visitor-36', 12, time '20:05'),
    (62, 31, 'demo-baker', 'visitor-37', 4, time '18:45'),
    (63, 33, 'demo-baker', 'visitor-25', 1, time '08:50')
  ) as thread (number, says, coach_id, user_id, days_ago, time_of_day)
  cross join lateral (
    select ((now() at time zone 'utc')::date - thread.days_ago + thread.time_of_day) at time zone 'utc' as at
  ) as began;

  -- A turn without a question is a message that the expert has added.
  with turn as (
    select said.*, thread.created_at + said.place * interval '3 minutes' as asked_at,
      left(thread.id::text, 30) || lpad(said.place::text, 4, '0') as id, thread.id as thread_id
    from (values
      (1, 1, 'Whom should I meet in my first week, and what should I ask?',
        'Everybody on the team, alone, for thirty minutes, before you meet them together. Ask what should never change here, what should have changed long ago, and what they would do first in your place. Write the answers down, and promise nothing yet. Who is the person you are least looking forward to meeting?',
        'ai', '[{"filename": "First ninety days.md", "heading": "First ninety days > Week one: listen", "quote": "Ask three questions and write the answers down: what should never change here, what should have changed long ago, and what would you do first in my place?"}]'::jsonb),
      (1, 2, 'And what do I do with all those answers?',
        'Sort them within two days, while you still hear the voices: what one person said, what two said, what three or more said. The last heap has your first repair in it. Which sentence have you heard more than once so far?',
        'ai', '[{"filename": "First ninety days.md", "heading": "First ninety days > What to do with the answers", "quote": "Sort the answers into three heaps within two days, while you still hear the voices: said by one, said by two, said by three or more."}]'),
      (2, 1, 'How do I give feedback that lands?',
        'Say what you saw, what it did, and what you would like, each in one sentence, and then ask what you may be missing. It has to be recent, and about something the person can change. What did you see, in words a camera would agree with?',
        'ai', '[{"filename": "Feedback that lands.md", "heading": "Feedback that lands", "quote": "Feedback works when it is about something that was seen, that is less than a week old, and that the person can change."}]'),
      (3, 1, 'My boss keeps handing tasks straight to my people. What do I do?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null),
      (4, 1, 'Do you take private clients?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null),
      (5, 1, 'I delegated the monthly report and it came back wrong. Do I take it back?',
        'No. Go back to the paper you wrote before you handed it over, and ask together which of the five answers was unclear. Usually it is the first one, what good looks like. Mend that, set a new date, and leave the report where it is. What would a stranger have understood from what you wrote?',
        'ai', '[{"filename": "Delegation checklist.md", "heading": "Delegation checklist > When it comes back wrong", "quote": "When it comes back wrong, do not take it back: ask which of the five answers was unclear, and mend that answer."}]'),
      (6, 1, 'Half my team is eight time zones away. How do I lead them?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null),
      (7, 1, 'Do you offer private coaching?',
        'Not this year. I work with groups of eight, twice a year, and the dates are in my newsletter. If you are stuck right now, ask here first: most of what I would say in the first hour is in my notes.',
        'pinned', '[{"pinned": 1}]'),
      (7, 2, 'Thanks, that is clear.',
        'You are welcome. What would you bring to the first hour, if we had it now?', 'ai', null),
      (8, 1, 'Should I tell my team what I earn?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null),
      (8, 2, 'They keep asking me. Should I tell my team what I earn or not?',
        'I still do not know, and I would not want you to act on a guess. Your question has been passed on.', 'ai', null),
      (9, 1, 'What do I do when my own manager gives tasks to my team behind my back?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null),
      (9, 2, 'It happened again today. What should I say to my manager about it?',
        'That is the part I do not know: how to take it up with somebody above you. I have passed it on.', 'ai', null),
      (10, 1, 'How long should the handover of my old job take?',
        'Plan two weeks, and put the last day of it into the calendar of your successor. After that day, answer questions, but make no decisions in the old job any more. What will you be tempted to keep?',
        'ai', '[{"filename": "First ninety days.md", "heading": "First ninety days > Your old job", "quote": "Plan two weeks for the handover of your old job, and put the last day of it into your successor''s calendar."}]'),
      (10, 2, null,
        'Six weeks, in halves: three weeks in which you do it and they watch, three in which they do it and you watch. Two weeks only works when somebody has done the job before. What does not move: a last day, in both calendars.',
        'expert', '[{"pinned": 2}]'),
      (11, 1, 'What do I do when somebody goes silent after feedback?',
        'Stop, and say that you will take it up tomorrow. Nobody learns while they are ashamed. The next day begin with your first sentence again, what you saw, and leave the rest to them. What did you see just before it went quiet?',
        'ai', '[{"filename": "Feedback that lands.md", "heading": "Feedback that lands > When it goes wrong", "quote": "If they go silent, end the conversation and take it up the next day; nobody learns while they are ashamed."}]'),
      (11, 2, 'I had said it was the third time. Was that too much?',
        'Perhaps. "The third time" is a count, and a count sounds like a file that somebody keeps. Say the one time you saw, as if it were the first. Can you describe only the last one?',
        'ai', '[{"filename": "Feedback that lands.md", "heading": "Feedback that lands > Sentences that close ears", "quote": "A count sounds like a file that somebody keeps."}]'),
      (11, 3, 'Yes. She read her mail while a colleague was presenting.',
        'Good, that is a sentence a camera would agree with. Now: what did it do, as far as you could see?', 'ai', null),
      (12, 1, 'Do you take private clients?',
        'Not this year. I work with groups of eight, twice a year, and the dates are in my newsletter. If you are stuck right now, ask here first: most of what I would say in the first hour is in my notes.',
        'pinned', '[{"pinned": 1}]'),
      (13, 1, 'My manager talks to my team directly and gives them work. How do I stop that?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null),
      (14, 1, 'Two people on my team have not spoken for three weeks. It is getting worse.',
        'A conflict that is avoided moves into the calendar of everybody else, so it is good that you bring it up. Before anybody sits down together, hear each of them alone, for the same number of minutes. What does each of them say the other one wants?',
        'ai', '[{"filename": "Difficult conversations, a workbook.pdf", "page": 4, "heading": null, "quote": "Hear each of them alone first, for the same number of minutes, and write down what they want and not what the other did."}]'),
      (14, 2, 'One of them has now asked me to choose between the two of them.',
        'This is Mara. I have read along and would like to answer this one myself. Do not choose, and say so today: "I will not choose between people. I will decide about the work, on Thursday." Then decide about the work, on Thursday.',
        'expert', null),
      (14, 3, null,
        'And write to me here on Friday, however it went. I will look.',
        'expert', null),
      (14, 4, 'I will. Thank you, that sentence helps.',
        'You are welcome. What is the decision about the work that is due on Thursday?', 'ai', null),
      (15, 1, 'How do I lead people in a time zone eight hours away?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null),
      (16, 1, 'How long should a one-to-one be?',
        'Sixty minutes, every week, with each person, and never cancelled. The first twenty belong to them, without an agenda of yours. Whose hour would you find hardest to fill?',
        'ai', '[{"filename": "One-to-ones, notes from 2021.md", "heading": "One-to-ones, notes from 2021 > How long and how often", "quote": "A one-to-one takes sixty minutes, every week, with each person, and is never cancelled."}]'),
      (17, 1, 'My director assigns work to my engineers without telling me. What do I do?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null),
      (18, 1, 'We never overlap with our colleagues overseas. How do I lead them at all?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null),
      (18, 2, 'Then something easier: how do I end a meeting on time?',
        'Decide at the beginning who says the last sentence, and when. At ten minutes to, that person reads out what was decided and asks what is missing. Nobody opens a new subject after that. Who in your team would enjoy that job?',
        'ai', '[{"filename": "Meetings that end early.docx", "heading": "Meetings that end early > The last ten minutes", "quote": "Ten minutes before the end, somebody who is not the chair reads out what was decided and asks what is missing."}]'),
      (19, 1, 'Is what I write here confidential?',
        'The answers here come from an AI that has my notes. I read conversations to see where it goes wrong, and nobody else does. Leave out names: the advice does not get worse without them. You can delete a conversation at any time.',
        'pinned', '[{"pinned": 3}]'),
      (20, 1, 'I have to let somebody go next week and I cannot sleep. Can I talk to Mara herself?',
        'You are talking to an AI. I have passed your question on.', 'ai', null),
      (21, 1, 'What do I say in the first five minutes of my first team meeting?',
        'Say who you are in three sentences, what you have heard in the meetings one by one, and what this hour is for. Then stop. The first voice after yours decides how the hour goes, so ask for it by name, and ask that person the day before. Who will it be?',
        'ai', '[{"filename": "The first team meeting.pdf", "page": 2, "heading": null, "quote": "The first voice after yours decides how the hour goes."}]'),
      (22, 1, 'What should I write down before I delegate something?',
        'Five answers, by hand if you can: what good looks like, what must not happen, what they may decide without you, when you look at it together, and what you will do when it turns out different from your way. It takes ten minutes and saves a month. Which of the five would you rather skip?',
        'ai', '[{"filename": "Delegation checklist.md", "heading": "Delegation checklist", "quote": "Before I hand something over I answer five questions in writing. It takes ten minutes and saves a month."}]'),
      (22, 2, 'The last one. I would do everything differently.',
        'Then that is the one to write down first. The honest answer to it is: nothing, as long as the result is good in the sense of the first question. What would "good enough" look like to the person who uses the result?',
        'ai', '[{"filename": "Delegation checklist.md", "heading": "Delegation checklist", "quote": "The right answer is: nothing, as long as it is good in the sense of the first question."}]'),
      (23, 1, 'What should be on the agenda of my first team meeting?',
        'Four things for an hour: what you have heard, what stays as it is, one small repair and its date, and questions on cards. Send the first two in writing the evening before, so that the hour is for the others. What have you heard from more than two people?',
        'ai', '[{"filename": "The first team meeting.pdf", "page": 1, "heading": null, "quote": "Four things fit into an hour: what you have heard, what stays as it is, one small repair with its date, and the questions on the cards."}]'),
      (31, 1, 'How much water do I use for 500 g of flour?',
        '350 g. That is 70 percent, and you can still handle it. Go to 375 g when three loaves in a row have held their shape, not before.',
        'ai', '[{"filename": "Your first loaf.md", "heading": "Your first loaf > What you weigh", "quote": "500 g flour, 350 g water, 10 g salt, 3 g dried yeast: that is a loaf of 70 percent water, and you can still handle it."}]'),
      (32, 1, 'My loaf comes out flat. What do I check first?',
        'How long it rose, and how warm. Flat and wide with big holes on top: it rose too long. Flat and dense with a torn side: too short. Press a floured finger in: a dent that comes back slowly is right. Which of the two do you see?',
        'ai', '[{"filename": "When bread goes wrong.md", "heading": "When bread goes wrong > Flat", "quote": "A flat loaf has risen too long or too short, and the crumb tells you which."}]'),
      (33, 1, 'How do I start a sourdough from nothing?',
        '50 g wholemeal rye, 50 g water, a jar, 26 degrees. Every day throw away all but 20 g, and feed 50 and 50 again. Days three and four it looks dead. It is not. On day seven it should double in six hours.',
        'ai', '[{"filename": "Sourdough, day by day.md", "heading": "Sourdough, day by day > Seven days", "quote": "Day three and four nothing moves, and everybody gives up; do not."}]'),
      (33, 2, 'It is day four and it smells of nail polish.',
        'Hungry. Feed it twice a day for two days, same amounts, and keep it a little cooler, 24 degrees.',
        'ai', '[{"filename": "Sourdough, day by day.md", "heading": "Sourdough, day by day > What the smell says", "quote": "Nail polish: it is hungry, feed it twice a day."}]'),
      (34, 1, 'I only have the evening for baking. When do I do what?',
        'Mix at seven, fold at half past seven and at eight, shape at nine, and put it into the fridge. Bake the next evening, straight from the cold, while you cook dinner. The fridge does the work, and the bread tastes better for it.',
        'ai', '[{"filename": "A weekday schedule.md", "heading": "A weekday schedule > Two evenings", "quote": "Mix at seven, shape at nine, and let the fridge do the work until the next evening."}]'),
      (35, 1, 'Do you teach a course in my town?',
        'I do not know that, and I would rather not guess. I have passed your question on.', 'ai', null)
    ) as said (number, place, question, answer, author, sources)
    join public.threads as thread on thread.account_id = demo and thread.title = said.number::text
  )
  insert into public.messages (
    id, thread_id, role, content, status, sources, is_by_expert, model, coach_version, input_tokens, output_tokens,
    created_at, updated_at
  )
  select (turn.id || message.kind)::uuid, turn.thread_id, message.role, message.content, 'complete',
    case when message.role = 'assistant' then turn.sources end,
    message.role = 'assistant' and turn.author <> 'ai',
    case when message.role = 'assistant' and turn.author = 'ai' then 'demo' end,
    case when message.role = 'assistant' and turn.question is not null then 1 end,
    case when message.role = 'assistant' and turn.author = 'ai' then 1400 + 3 * length(turn.answer) end,
    case when message.role = 'assistant' and turn.author = 'ai' then ceil(length(turn.answer) / 4.0) end,
    turn.asked_at + message.later, turn.asked_at + message.later
  from turn
  cross join lateral (values
    ('01', 'user', turn.question, interval '0'),
    ('02', 'assistant', turn.answer, interval '7 seconds')
  ) as message (kind, role, content, later)
  where message.content is not null
  order by turn.asked_at, message.kind;

  update public.threads as thread set title = first.content
  from (
    select distinct on (message.thread_id) message.thread_id, message.content
    from public.messages as message order by message.thread_id, message.created_at
  ) as first
  where thread.account_id = demo and first.thread_id = thread.id;

  -- Ratings of answers, and questions that were not answered. An answered question stays answered: its occurrences come first.
  perform private.open_question(asking.message_id, (
    select read from unnest(asked) as read where read.content = asking.question
  ), asking.reason)
  from (
    select ('00000000-0000-4000-8000-' || lpad(asked.thread::text, 6, '0') || lpad(asked.place::text, 4, '0') || '02')::uuid
      as message_id, asked.question, asked.reason
    from (values
      (3, 1, 'What do I do when my own manager gives tasks to my team behind my back?', 'unknown'),
      (9, 1, 'What do I do when my own manager gives tasks to my team behind my back?', 'unknown'),
      (9, 2, 'What do I do when my own manager gives tasks to my team behind my back?', 'unknown'),
      (13, 1, 'What do I do when my own manager gives tasks to my team behind my back?', 'unknown'),
      (17, 1, 'What do I do when my own manager gives tasks to my team behind my back?', 'unknown'),
      (6, 1, 'How do I lead people in a time zone eight hours away?', 'unknown'),
      (15, 1, 'How do I lead people in a time zone eight hours away?', 'unknown'),
      (18, 1, 'How do I lead people in a time zone eight hours away?', 'unknown'),
      (8, 1, 'Should I tell my team what I earn?', 'unknown'),
      (8, 2, 'Should I tell my team what I earn?', 'unknown'),
      (16, 1, 'How long should a one-to-one be?', 'feedback'),
      (20, 1, 'How do I prepare for a conversation in which I let somebody go?', 'human'),
      (4, 1, 'Do you take private clients?', 'unknown'),
      (10, 1, 'How long should the handover of my old job take?', 'feedback'),
      (35, 1, 'Do you teach a course in my town?', 'unknown')
    ) as asked (thread, place, question, reason)
  ) as asking;
  -- Since they asked, not since today.
  update public.threads as thread set needs_reply_at = thread.updated_at
  where thread.account_id = demo and thread.needs_reply_at is not null;

  insert into public.feedback (message_id, rating, comment, created_at, updated_at)
  select rated.message_id, rated.rating, rated.comment, message.created_at + interval '1 minute',
    message.created_at + interval '1 minute'
  from (
    select ('00000000-0000-4000-8000-' || lpad(given.thread::text, 6, '0') || lpad(given.place::text, 4, '0') || '02')::uuid
      as message_id, given.rating, given.comment
    from (values
      (1, 1, 'up', null),
      (5, 1, 'up', 'It was the first answer. I had never written it down.'),
      (10, 1, 'down', 'Two weeks? Nobody here has done this job before.'),
      (11, 2, 'up', null),
      (14, 2, 'up', null),
      (16, 1, 'down', 'In your newer text it is thirty minutes every two weeks. Which is it?'),
      (22, 2, 'up', null),
      (32, 1, 'up', null)
    ) as given (thread, place, rating, comment)
  ) as rated
  join public.messages as message on message.id = rated.message_id;

  -- What the expert has said for good. Pinning the same question answers it.
  insert into public.pinned_answers (id, account_id, coach_id, question, variants, answer, created_at)
  select ('00000000-0000-4000-8000-0000000000' || lpad(pinned.number::text, 2, '0'))::uuid, demo, 'demo-coach',
    pinned.question, pinned.variants, pinned.answer, now() - pinned.days_ago * interval '1 day'
  from (values
    (1, 'Do you take private clients?', array['Do you offer private coaching?', 'Can I book an hour with you?'],
      'Not this year. I work with groups of eight, twice a year, and the dates are in my newsletter. If you are stuck right now, ask here first: most of what I would say in the first hour is in my notes.', 23),
    (2, 'How long should the handover of my old job take?', array[]::text[],
      'Six weeks, in halves: three weeks in which you do it and they watch, three in which they do it and you watch. Two weeks only works when somebody has done the job before. What does not move: a last day, in both calendars.', 15),
    (3, 'Is what I write here confidential?', array['Who reads what I write here?'],
      'The answers here come from an AI that has my notes. I read conversations to see where it goes wrong, and nobody else does. Leave out names: the advice does not get worse without them. You can delete a conversation at any time.', 28)
  ) as pinned (number, question, variants, answer, days_ago);
  perform private.key_phrases(pinned.id, asked) from public.pinned_answers as pinned where pinned.account_id = demo;
  perform private.answer_pinned_questions(array(
    select pinned.id from public.pinned_answers as pinned where pinned.account_id = demo
  ));
  update public.open_questions as question set decided_at = pinned.created_at
  from public.pinned_answers as pinned
  where question.account_id = demo and pinned.id = question.pinned_answer_id;
  update public.messages as message
  set revised_at = message.created_at + interval '3 minutes', revision_id = '00000000-0000-4000-8000-000000000002'
  where message.id = '00000000-0000-4000-8000-000010000102';

  -- Sources as answers keep them. demo.ts names the passages, once there are some.
  update public.messages as message
  set sources = (
    select jsonb_agg(case
      when pinned.id is not null then jsonb_build_object(
        'kind', 'pinned_answer', 'pinnedAnswerId', pinned.id, 'version', pinned.version, 'question', pinned.question,
        'quote', pinned.answer, 'isWordForWord', true
      )
      else jsonb_build_object(
        'kind', 'passage', 'passageId', md5(source.value ->> 'quote'), 'fileId', md5(source.value ->> 'filename')::uuid,
        'file_id', md5(source.value ->> 'filename')::uuid,
        'filename', source.value ->> 'filename', 'source_url', null, 'position', 0, 'page', source.value -> 'page', 'heading', source.value -> 'heading',
        'quote', source.value ->> 'quote', 'score', 2.5
      )
    end order by source.ordinality)
    from jsonb_array_elements(message.sources) with ordinality as source
    left join public.pinned_answers as pinned
      on pinned.id = ('00000000-0000-4000-8000-0000000000' || lpad(source.value ->> 'pinned', 2, '0'))::uuid
  )
  from public.threads as thread
  where thread.account_id = demo and message.thread_id = thread.id and message.sources is not null;
  update private.pinned_answer_hits as counted set hits = given.hits, last_hit_at = given.last_hit_at
  from (
    select (answer.sources -> 0 ->> 'pinnedAnswerId')::uuid as id, count(*) as hits, max(answer.created_at) as last_hit_at
    from public.messages as answer
    join public.threads as thread on thread.id = answer.thread_id
    -- What the expert adds to a thread answers no question.
    where thread.account_id = demo and answer.is_by_expert and answer.coach_version is not null and answer.sources is not null
    group by 1
  ) as given
  where counted.pinned_answer_id = given.id;

  -- What turns count as they end.
  insert into private.usage_counts (account_id, at, coach_id, turns, input_tokens, output_tokens, answers, own_words)
  select demo, date_bin('15 minutes', answer.created_at, 'epoch'), thread.coach_id, count(*), coalesce(sum(answer.input_tokens), 0),
    coalesce(sum(answer.output_tokens), 0), count(*), count(*) filter (where answer.is_by_expert)
  from public.messages as answer
  join public.threads as thread on thread.id = answer.thread_id
  where thread.account_id = demo and answer.role = 'assistant' and answer.coach_version is not null
  group by 2, 3;
  insert into private.askers (coach_id, at, user_id)
  select distinct thread.coach_id, date_bin('15 minutes', question.created_at, 'epoch'), thread.user_id
  from public.messages as question
  join public.threads as thread on thread.id = question.thread_id
  where thread.account_id = demo and question.role = 'user';

  -- The last one fails as soon as the expert answers the question that the demo's guide asks.
  perform public.import_tests('demo-coach', '[
    {"question": "When should I give feedback?",
      "expect": {"outcome": "answered", "icontains": ["within a week"], "sources": {"any": ["Feedback that lands.md"]}}},
    {"question": "Do you offer private coaching?", "expect": {"outcome": "pinned", "icontains": ["groups of eight"]}},
    {"question": "May I bring my dog to the workshop?", "expect": {"outcome": "not_known"}}
  ]');
end;
$demo$;
