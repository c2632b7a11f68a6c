/** The ideographs of the radicals from U+2E80 on, as Unicode equates them; compatibility forms do not include them. */
const ideographs =
  "⺀厂乛乚乙亻冂⺇刀刂卜㔾小小兀尣尢⺑巳幺彑彐忄心扌攵⺚旡日月歺母民氵氺灬爫爫丬牛犭王⺪目示礻⺮糹纟罓罒㓁冗⺵羊⺷⺸耂肀聿肉⺽艹艹艹虎衤覀西见角⻇讠贝⻊车辶辶辶邑钅長镸长门⻕阝雨青韦页风飞食⻞飠饣⻡马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟⻴⻵⻶⻷⻸⻹⻺⻻⻼⻽⻾⻿";
const firstRadical = 0x2e80;

/**
 * Forms of letters that fonts name: radicals, compatibility ideographs, ligatures, the forms of Hebrew and Arabic, and
 * the signs of vertical lines.
 */
const forms = /[\u2E80-\u2FDF\uF900-\uFB4F\uFB50-\uFDFF\uFE10-\uFE19\uFE30-\uFE48\uFE70-\uFEFC]/g;

/** Writes the letters that a font names by their form as people type them. */
export function writeUsualLetters(text: string): string {
  return text.replace(forms, (form) => {
    const usual = form.normalize("NFKC");
    // A mark over nothing is a mark over a space there.
    return usual !== form
      ? usual.replace(/^[ \u0640](?=\p{M})/u, "")
      : ideographs[form.charCodeAt(0) - firstRadical] ?? form;
  });
}
