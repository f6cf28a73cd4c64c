/** An e-mail of the chat, as mail programs quote it. */
const NOTICE = `You have a new message in #support > order 17.

Ada Lovelace, 20 Nov 2026, 09:30 UTC:
Your parcel is on its way.

Read and reply:
https://chat.example.com/#narrow/channel/3-support/topic/order.2017/near/21

-- 
You get this e-mail because you were mentioned.
Settings: https://chat.example.com/#settings
Stop these e-mails: https://chat.example.com/accounts/unsubscribe/5f0c/`;

const QUOTED = NOTICE.split('\n')
  .map((line) => (line === '' ? '>' : `> ${line}`))
  .join('\n');

const CHAT = 'Ada Lovelace <chat@example.com>';

/** A reply as its text or HTML part, and what remains of it. */
export interface Sample {
  /** Mail program, and what is special. */
  name: string;
  text?: string;
  html?: string;
  reply: string;
}

const PLAIN = 'Thank you!\n\nWhen will it arrive?';

/** The reply above the quoted e-mail, after a line that introduces it. */
const above = (name: string, introduction: string, { quoted = QUOTED, reply = PLAIN, footer = '' } = {}): Sample => ({
  name,
  text: `${reply}\n\n${footer === '' ? '' : `${footer}\n\n`}${introduction}\n${quoted}\n`,
  reply,
});

const outlook = (name: string, head: string, { line = '', footer = '' } = {}): Sample => ({
  name,
  text: `${PLAIN}\n\n${footer === '' ? '' : `${footer}\n`}${line === '' ? '' : `${line}\n`}${head}\n\n${NOTICE}\n`,
  reply: PLAIN,
});

const OUTLOOK_LINE = '________________________________';

const TEXTS: readonly Sample[] = [
  above('Gmail', `On Fri, Nov 20, 2026 at 9:30 AM ${CHAT} wrote:\n`),
  above(
    'Gmail: the line is broken',
    'On Fri, Nov 20, 2026 at 9:30 AM Ada Lovelace of the shop and its friends\n<chat@example.com> wrote:\n',
  ),
  above('Gmail: German', `Am Fr., 20. Nov. 2026 um 09:30 Uhr schrieb Ada Lovelace <chat@example.com>:\n`),
  above(
    'Gmail: German, the line is broken',
    'Am Fr., 20. Nov. 2026 um 09:30 Uhr schrieb Ada Lovelace <\nchat@example.com>:\n',
  ),
  above('Gmail: French', `Le ven. 20 nov. 2026 à 09:30, ${CHAT} a écrit :\n`),
  above('Gmail: Spanish', `El vie, 20 nov 2026 a las 9:30, Ada Lovelace (<chat@example.com>) escribió:\n`),
  above('Gmail: Portuguese', `Em sex., 20 de nov. de 2026 às 09:30, ${CHAT} escreveu:\n`),
  above('Gmail: Italian', `Il giorno ven 20 nov 2026 alle ore 09:30 ${CHAT} ha scritto:\n`),
  above('Gmail: Dutch', `Op vr 20 nov 2026 om 09:30 schreef ${CHAT}:\n`),
  above('Gmail: Polish', `pt., 20 lis 2026 o 09:30 ${CHAT} napisał(a):\n`),
  above('Gmail: Swedish', `Den fre 20 nov. 2026 kl 09:30 skrev ${CHAT}:\n`),
  above('Gmail: Russian', `пт, 20 нояб. 2026 г. в 09:30, ${CHAT}:\n`),
  above('Gmail: Japanese', `2026年11月20日(金) 9:30 ${CHAT}:\n`),
  above('Gmail: Chinese', `Ada Lovelace <chat@example.com> 于2026年11月20日周五 09:30写道：\n`),
  above('Gmail: with a signature', `On Fri, Nov 20, 2026 at 9:30 AM ${CHAT} wrote:\n`, {
    footer: '-- \nBen Ngo\nExample Ltd.\n+44 20 7946 0000',
  }),
  above('Gmail for Android', `On Fri, 20 Nov 2026, 09:30 ${CHAT}, wrote:\n`, { reply: 'ok' }),
  above('Gmail: with a list and a link', `On Fri, Nov 20, 2026 at 9:30 AM ${CHAT} wrote:\n`, {
    reply: 'I miss:\n\n* two cups\n* https://shop.example.com/spoon',
  }),
  above('Gmail: three paragraphs', `On Fri, Nov 20, 2026 at 9:30 AM ${CHAT} wrote:\n`, {
    reply: 'One.\n\nTwo.\n\nThree.',
  }),
  above('Apple Mail', 'On 20 Nov 2026, at 09:30, Ada Lovelace <chat@example.com> wrote:\n'),
  above('Apple Mail: American', 'On Nov 20, 2026, at 9:30 AM, Ada Lovelace <chat@example.com> wrote:\n'),
  above('Apple Mail: German', 'Am 20.11.2026 um 09:30 schrieb Ada Lovelace <chat@example.com>:\n'),
  above('Apple Mail: French', 'Le 20 nov. 2026 à 09:30, Ada Lovelace <chat@example.com> a écrit :\n'),
  above('iPhone', 'On 20 Nov 2026, at 09:30, Ada Lovelace <chat@example.com> wrote:\n', {
    footer: 'Sent from my iPhone',
  }),
  above('iPhone: German', 'Am 20.11.2026 um 09:30 schrieb Ada Lovelace <chat@example.com>:\n', {
    footer: 'Von meinem iPhone gesendet',
  }),
  above('iPhone: French', 'Le 20 nov. 2026 à 09:30, Ada Lovelace <chat@example.com> a écrit :\n', {
    footer: 'Envoyé de mon iPhone',
  }),
  above('iPad: Spanish', 'El 20 nov 2026, a las 9:30, Ada Lovelace <chat@example.com> escribió:\n', {
    footer: 'Enviado desde mi iPad',
  }),
  above('Thunderbird', 'On 20/11/2026 09:30, Ada Lovelace wrote:'),
  above('Thunderbird: German', 'Am 20.11.26 um 09:30 schrieb Ada Lovelace:'),
  above('Thunderbird: French', 'Le 20/11/2026 à 09:30, Ada Lovelace a écrit :'),
  above('Thunderbird: with a signature', 'On 20/11/2026 09:30, Ada Lovelace wrote:', { footer: '-- \nBen' }),
  {
    name: 'Thunderbird: the reply is below the quoted e-mail',
    text: `On 20/11/2026 09:30, Ada Lovelace wrote:\n${QUOTED}\n\n${PLAIN}\n\n-- \nBen\n`,
    reply: PLAIN,
  },
  {
    name: 'Thunderbird: the replies are between quoted lines',
    text: 'On 20/11/2026 09:30, Ada Lovelace wrote:\n> Which colour?\n\nBlue.\n\n> Which size?\n\nXL.\n',
    reply: 'Blue.\n\nXL.',
  },
  outlook(
    'Outlook',
    `From: ${CHAT}\nSent: Friday, November 20, 2026 9:30 AM\nTo: Ben Ngo <ben@example.com>\nSubject: #support > order 17`,
  ),
  outlook(
    'Outlook on the web',
    `From: ${CHAT}\nSent: Friday, November 20, 2026 9:30 AM\nTo: Ben Ngo <ben@example.com>\nSubject: #support > order 17`,
    { line: OUTLOOK_LINE },
  ),
  outlook(
    'Outlook: German',
    `Von: ${CHAT}\nGesendet: Freitag, 20. November 2026 09:30\nAn: Ben Ngo <ben@example.com>\nBetreff: #support > order 17`,
  ),
  outlook(
    'Outlook: French',
    `De : ${CHAT}\nEnvoyé : vendredi 20 novembre 2026 09:30\nÀ : Ben Ngo <ben@example.com>\nObjet : #support > order 17`,
  ),
  outlook(
    'Outlook: Dutch',
    `Van: ${CHAT}\nVerzonden: vrijdag 20 november 2026 09:30\nAan: Ben Ngo <ben@example.com>\nOnderwerp: #support > order 17`,
  ),
  outlook(
    'Outlook: Swedish',
    `Från: ${CHAT}\nSkickat: den 20 november 2026 09:30\nTill: Ben Ngo <ben@example.com>\nÄmne: #support > order 17`,
  ),
  outlook(
    'Outlook 2010',
    'From: Ada Lovelace [mailto:chat@example.com] \nSent: Friday, November 20, 2026 9:30 AM\nTo: Ben Ngo\nSubject: #support > order 17',
    { line: '-----Original Message-----' },
  ),
  outlook(
    'Outlook for iOS',
    `From: ${CHAT}\nSent: Friday, November 20, 2026 9:30:00 AM\nTo: Ben Ngo <ben@example.com>\nSubject: #support > order 17`,
    {
      line: OUTLOOK_LINE,
      footer: 'Get Outlook for iOS<https://aka.ms/o0ukef>',
    },
  ),
  outlook(
    'Outlook for Android',
    `From: ${CHAT}\nSent: Friday, November 20, 2026 9:30:00 AM\nTo: Ben Ngo <ben@example.com>\nSubject: #support > order 17`,
    {
      line: OUTLOOK_LINE,
      footer: 'Get Outlook for Android<https://aka.ms/AAb9ysg>',
    },
  ),
  outlook(
    'Samsung',
    `From: ${CHAT} \nDate: 20/11/2026 09:30 (GMT+00:00) \nTo: ben@example.com \nSubject: #support > order 17 `,
    {
      line: '-------- Original message --------',
      footer: 'Sent from my Galaxy',
    },
  ),
  above('Proton Mail', `On Friday, November 20th, 2026 at 9:30 AM, ${CHAT} wrote:\n`, {
    footer: 'Sent with Proton Mail secure email.',
  }),
  above('Yahoo', `On Friday, November 20, 2026 at 09:30:00 AM GMT, ${CHAT} wrote:\n`),
  above('Fastmail', 'On Fri, 20 Nov 2026, at 9:30 AM, Ada Lovelace wrote:'),
  above('K-9', `Am 20. November 2026 09:30:00 MEZ schrieb ${CHAT}:`, {
    footer: '-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.',
  }),
  above('a reply that begins like a quotation', `On Fri, Nov 20, 2026 at 9:30 AM ${CHAT} wrote:\n`, {
    reply: 'On Monday I wrote to you.\nFrom here it looks fine.',
  }),
  { name: 'only text', text: 'Yes.\n', reply: 'Yes.' },
];

const HTML_NOTICE =
  '<p>You have a new message in #support &gt; order 17.</p><div><p><strong>Ada Lovelace</strong></p><div>Your parcel is on its way.</div></div>';
const HTML_REPLY = 'Thank **you**!\n\nWhen will it arrive? See [the shop](https://shop.example.com/).';
const HTML_BODY =
  'Thank <b>you</b>!</div><div><br></div><div>When will it arrive? See <a href="https://shop.example.com/">the shop</a>.</div>';

const HTMLS: readonly Sample[] = [
  {
    name: 'Gmail, HTML',
    html: `<div dir="ltr"><div>${HTML_BODY}<div><br></div><div class="gmail_signature" dir="ltr">Ben</div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 9:30 AM Ada Lovelace &lt;chat@example.com&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0">${HTML_NOTICE}</blockquote></div>`,
    reply: HTML_REPLY,
  },
  {
    name: 'Apple Mail, HTML',
    html: `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"><style>p{color:red}</style></head><body><div>${HTML_BODY}<div><br><blockquote type="cite"><div>On 20 Nov 2026, at 09:30, Ada Lovelace &lt;chat@example.com&gt; wrote:</div><br><div>${HTML_NOTICE}</div></blockquote></div></body></html>`,
    reply: HTML_REPLY,
  },
  {
    name: 'Outlook on the web, HTML',
    html: `<html><body dir="ltr"><div class="elementToProof">${HTML_BODY}<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri"><b>From:</b> Ada Lovelace &lt;chat@example.com&gt;<br><b>Sent:</b> Friday, November 20, 2026 9:30 AM<br><b>To:</b> Ben Ngo<br><b>Subject:</b> #support &gt; order 17</font><div>&nbsp;</div></div><div>${HTML_NOTICE}</div></body></html>`,
    reply: HTML_REPLY,
  },
  {
    name: 'Outlook, HTML',
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang="EN-US"><div class="WordSection1"><p class="MsoNormal">Thank <b>you</b>!<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">When will it arrive? See <a href="https://shop.example.com/">the shop</a>.<o:p></o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal"><b>From:</b> Ada Lovelace &lt;chat@example.com&gt; <br><b>Sent:</b> Friday, November 20, 2026 9:30 AM<br><b>To:</b> Ben Ngo &lt;ben@example.com&gt;<br><b>Subject:</b> #support &gt; order 17<o:p></o:p></p></div></div>${HTML_NOTICE}</div></body></html>`,
    reply: HTML_REPLY,
  },
  {
    name: 'Thunderbird, HTML, with a picture of another server',
    html: `<!DOCTYPE html><html><body><p>${HTML_BODY.replaceAll('</div><div>', '</p><p>').replace('</div>', '</p>')}<img src="https://tracker.example.net/1.gif" alt=""><div class="moz-cite-prefix">On 20/11/2026 09:30, Ada Lovelace wrote:<br></div><blockquote type="cite" cite="mid:1@example.com">${HTML_NOTICE}</blockquote><div class="moz-signature">Ben</div></body></html>`,
    reply: HTML_REPLY,
  },
];

export const SAMPLES: readonly Sample[] = [...TEXTS, ...HTMLS];
