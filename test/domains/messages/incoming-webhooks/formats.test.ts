import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChatError } from '../../../../lib/base/errors.ts';
import { parsePayload, type WebhookFormat } from '../../../../lib/domains/messages/incoming-webhooks/format.ts';
import { githubFormat } from '../../../../lib/domains/messages/incoming-webhooks/github.ts';
import { jsonFormat } from '../../../../lib/domains/messages/incoming-webhooks/json.ts';
import { markdownOf } from '../../../../lib/domains/messages/incoming-webhooks/mrkdwn.ts';
import { passes } from '../../../../lib/domains/messages/incoming-webhooks/receive.ts';
import { slackFormat } from '../../../../lib/domains/messages/incoming-webhooks/slack.ts';
import {
  checkEvent,
  commentEvent,
  issueEvent,
  pingEvent,
  pullEvent,
  pushEvent,
  releaseEvent,
  reviewEvent,
} from './samples.ts';

const slack = (payload: unknown) => slackFormat(payload, undefined)?.content;
const blocks = (...given: object[]) => slack({ text: 'For notifications', blocks: given });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const plain = (text: string) => ({ type: 'plain_text', text });

describe('the mrkdwn of Slack becomes Markdown', () => {
  for (const [name, given, expected] of [
    ['bold', 'so *very bold*, *x*', 'so **very bold**, **x**'],
    ['italic', '_so_ it _is here_.', '*so* it *is here*.'],
    ['struck', 'not ~this~', 'not ~~this~~'],
    ['nested formats', '*_~all~_*', '***~~all~~***'],
    ['signs within words stay', 'a_b_c 2*3*4 x~y~z', 'a_b_c 2*3*4 x~y~z'],
    ['signs beside spaces stay', '2 * 3 * 4, * a *', '2 * 3 * 4, * a *'],
    ['Markdown stays', '**bold**', '**bold**'],
    ['code stays', '`*x* <https://a.example> &amp;`', '`*x* <https://a.example> &`'],
    ['a code block', 'a ```*x*\n&lt;y&gt;``` b', 'a \n```\n*x*\n<y>\n```\n b'],
    ['a code block without an end', 'a ```*x*', 'a ```**x**'],
    ['a link', '<https://a.example/x_y_z|the *page*>', '[the *page*](https://a.example/x_y_z)'],
    ['a link in bold', '*<https://a.example|page>*', '**[page](https://a.example)**'],
    ['an address', 'at <https://a.example/?a=1&amp;b=2>', 'at https://a.example/?a=1&b=2'],
    ['an address with parentheses', '<https://a.example/(a)|b>', '[b](https://a.example/%28a%29)'],
    ['brackets in a link', '<https://a.example|[x] ]y>', '[(x) )y](https://a.example)'],
    ['an address of a script', '<javascript:alert(1)|x>', '<javascript:alert(1)|x>'],
    ['an e-mail address', '<mailto:a@b.example|a@b.example>', '[a@b.example](mailto:a@b.example)'],
    ['an e-mail address without a text', '<mailto:a@b.example>', '[a@b.example](mailto:a@b.example)'],
    ['a telephone number', 'call <tel:+49301234|+49 30 1234>', 'call [+49 30 1234](tel:+49301234)'],
    ['a telephone number without a text', '<tel:110>', '[110](tel:110)'],
    ['contacts in code', '`<tel:110|110>` ```<mailto:a@b.example|a@b.example>```', '`110` \n```\na@b.example\n```'],
    ['a user', '<@U1> <@U2|ben>', '@U1 @ben'],
    ['a channel', '<#C1|general> <#C2>', '#general #C2'],
    ['everybody', '<!here> <!channel|channel> <!subteam^S1|@ops>', '@here @channel @ops'],
    ['a date', '<!date^1700000000^{date}|then>', '<time:2023-11-14T22:13:20Z>'],
    ['a wrong date', '<!date^x^{date}|then>', 'then'],
    ['entities once', '&amp;lt; &lt;b&gt; &quot;', '&lt; <b> &quot;'],
    ['a quote', '&gt; said\n> again', '> said\n> again'],
    ['a character for private use', 'a\ue000 `b`', 'a `b`'],
  ] as const) {
    test(name, () => assert.equal(markdownOf(given), expected));
  }
});

describe('a message of Slack becomes Markdown', () => {
  test('blocks replace the text', () => {
    assert.equal(
      blocks(
        { type: 'header', text: plain('Order 17') },
        { type: 'section', text: mrkdwn('*Paid* by <@U1>'), fields: [mrkdwn('*Sum*\n5'), plain('*as it is*')] },
        { type: 'divider' },
        {
          type: 'context',
          elements: [mrkdwn('_now_'), { type: 'image', image_url: 'https://a.example/i', alt_text: 'Ada' }],
        },
        { type: 'image', image_url: 'https://a.example/p.png', title: plain('Plan'), alt_text: 'a plan' },
        {
          type: 'actions',
          elements: [
            { type: 'button', text: plain('Open'), url: 'https://a.example' },
            { type: 'button', text: plain('Ask') },
          ],
        },
        { type: 'unknown' },
      ),
      [
        '**Order 17**',
        '**Paid** by @U1\n**Sum**\n5\n*as it is*',
        '---',
        '*now* [Ada](https://a.example/i)',
        '[Plan](https://a.example/p.png)',
        '[Open](https://a.example)',
      ].join('\n\n'),
    );
  });

  test('rich text keeps its styles, lists, quotes and code', () => {
    const text = (given: string, style?: object) => ({ type: 'text', text: given, ...(style && { style }) });
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
    assert.equal(
      blocks({
        type: 'rich_text',
        elements: [
          section(text('Hello '), text('there ', { bold: true, italic: true }), { type: 'emoji', name: 'wave' }),
          {
            type: 'rich_text_list',
            style: 'bullet',
            elements: [section(text('one')), section({ type: 'link', url: 'https://a.example', text: 'two' })],
          },
          { type: 'rich_text_list', style: 'ordered', indent: 1, elements: [section(text('three'))] },
          { type: 'rich_text_quote', elements: [text('said\nso')] },
          { type: 'rich_text_preformatted', elements: [text('*code*')] },
          section(
            { type: 'user', user_id: 'U1' },
            text(' '),
            { type: 'broadcast', range: 'here' },
            text(' x', { code: true }),
          ),
        ],
      }),
      [
        'Hello ***there*** :wave:',
        '* one\n* [two](https://a.example)',
        '  1. three',
        '> said\n> so\n',
        '\n```\n*code*\n```\n',
        '@U1 @here `x`',
      ].join('\n'),
    );
  });

  test('an attachment of Alertmanager shows title, text, fields, buttons and footer', () => {
    assert.deepEqual(
      slackFormat(
        {
          channel: '#alerts',
          username: 'Alertmanager',
          attachments: [
            {
              fallback: 'not shown',
              color: 'danger',
              title: '[FIRING:2] DiskFull (db-1)',
              title_link: 'https://alerts.example.com/#/alerts',
              text: '*Summary:* 95 % &gt; 90 %',
              fields: [
                { title: 'Severity', value: 'page', short: true },
                { title: 'Count:', value: 2 },
              ],
              actions: [{ type: 'button', text: 'Runbook', url: 'https://runbooks.example.com/disk' }],
              footer: 'Prometheus',
              ts: 1700000000,
              mrkdwn_in: ['text'],
            },
          ],
        },
        undefined,
      ),
      {
        topic: 'Alertmanager',
        content: [
          '**[[FIRING:2] DiskFull (db-1)](https://alerts.example.com/#/alerts)**',
          '**Summary:** 95 % > 90 %',
          '**Severity:** page',
          '**Count:** 2',
          '[Runbook](https://runbooks.example.com/disk)',
          'Prometheus <time:2023-11-14T22:13:20Z>',
        ].join('\n'),
      },
    );
  });

  test('an attachment without content shows its fallback', () => {
    assert.equal(
      slack({ text: 'a', attachments: [{ fallback: 'Build *1* failed', color: 'bad' }] }),
      'a\n\nBuild **1** failed',
    );
  });
});

describe('an event of GitHub becomes a message', () => {
  const issues = 'https://github.com/example/site/issues/5';
  const pull = 'https://github.com/example/site/pull/12';
  const pulled = `pull request [#12 Fill the form](${pull})`;
  const inPull = 'site / PR #12 Fill the form';
  const issue = `issue [#5 The *form* is (empty](${issues})`;
  const inIssue = 'site / issue #5 The *form* is [empty';
  for (const [name, header, payload, event, topic, content] of [
    [
      'ping',
      'ping',
      pingEvent,
      'ping',
      'site',
      'The events of [example/site](https://github.com/example/site) arrive here.',
    ],
    [
      'a push',
      'push',
      pushEvent(1),
      'push',
      'site / main',
      '**ada** pushed 1 commit to the branch [`main`](https://github.com/example/site/compare/1a2b...3c4d).\n* [`aaaaaaa`](https://github.com/example/site/commit/0) Change 0',
    ],
    [
      'a deleted tag',
      'push',
      pushEvent(0, { ref: 'refs/tags/v1', deleted: true }),
      'push',
      'site / v1',
      '**ada** deleted the tag [`v1`](https://github.com/example/site/compare/1a2b...3c4d).',
    ],
    [
      'a merged pull request',
      'pull_request',
      pullEvent('closed', { merged: true }),
      'pull_request.closed',
      inPull,
      `**ada** merged ${pulled}.`,
    ],
    [
      'a closed pull request',
      'pull_request',
      pullEvent('closed'),
      'pull_request.closed',
      inPull,
      `**ada** closed ${pulled}.`,
    ],
    [
      'a review',
      'pull_request_review',
      reviewEvent('changes_requested'),
      'pull_request_review.submitted',
      inPull,
      `**ada** [requested changes in](${pull}#pullrequestreview-1) ${pulled}.\n\`\`\`quote\nGood.\n\`\`\``,
    ],
    [
      'an issue whose text has a fence',
      'issues',
      issueEvent('opened'),
      'issues.opened',
      inIssue,
      `**ada** opened ${issue}.\n\`\`\`\`quote\nPress Send.\n\`\`\`\nnothing\n\`\`\`\n\`\`\`\``,
    ],
    [
      'a comment',
      'issue_comment',
      commentEvent(issueEvent('created')),
      'issue_comment.created',
      inIssue,
      `**ada** [commented](${issues}#issuecomment-1) on ${issue}.\n\`\`\`quote\nSeen here too.\n\`\`\``,
    ],
    [
      'a release',
      'release',
      releaseEvent,
      'release.published',
      'site / release v2.0',
      '**ada** published [Second](https://github.com/example/site/releases/v2.0).\n```quote\n* Faster\n```',
    ],
    [
      'a check',
      'check_run',
      checkEvent('check_run', 'failure'),
      'check_run.failure',
      'site / main',
      'Check [build](https://github.com/example/site/runs/7) failed on `main` (`c0ffee0`).',
    ],
    [
      'all checks',
      'check_suite',
      checkEvent('check_suite', 'success'),
      'check_suite.success',
      'site / main',
      'Checks of GitHub Actions succeeded on `main` (`c0ffee0`).',
    ],
    [
      'a workflow',
      'workflow_run',
      checkEvent('workflow_run', 'timed_out'),
      'workflow_run.timed_out',
      'site / main',
      'Workflow [build](https://github.com/example/site/runs/7) timed out on `main` (`c0ffee0`).',
    ],
  ] as const) {
    test(name, () => assert.deepEqual(githubFormat(payload, header), { event, topic, content }));
  }

  test('a push of many commits shows ten', () => {
    const lines = githubFormat(pushEvent(13), 'push')?.content.split('\n') ?? [];
    assert.deepEqual([lines.length, lines.at(-1)], [12, '* and 3 more']);
  });

  test('actions that nobody waits for give no message', () => {
    const silent = [
      githubFormat(issueEvent('labeled'), 'issues'),
      githubFormat(pullEvent('synchronize'), 'pull_request'),
      githubFormat({ ...checkEvent('check_run', null), action: 'created' }, 'check_run'),
      githubFormat(checkEvent('check_run', 'neutral'), 'check_run'),
      githubFormat({ anything: 1 }, 'constructor'),
      // Names of properties that every object has.
      githubFormat(issueEvent('constructor'), 'issues'),
      githubFormat(pullEvent('constructor'), 'pull_request'),
      githubFormat(reviewEvent('constructor'), 'pull_request_review'),
      githubFormat(checkEvent('check_run', 'constructor'), 'check_run'),
    ];
    assert.deepEqual(
      silent,
      silent.map(() => undefined),
    );
  });

  test('a wrong or missing field is named', () => {
    const [first] = pushEvent(1).commits;
    const { html_url: _, ...repository } = pushEvent(1).repository;
    for (const [payload, says] of [
      [
        pushEvent(0, { commits: [first, { ...first, message: 1 }] }),
        'payload["commits"][1]["message"] must be a text.',
      ],
      [pushEvent(0, { commits: [first, 7] }), 'payload["commits"][1] must be an object.'],
      [pushEvent(0, { repository }), 'payload["repository"]["html_url"] is missing.'],
      [pushEvent(0, { sender: undefined }), 'payload["sender"] must be an object.'],
      [{}, 'payload["sender"] is missing.'],
      [null, 'payload must be an object.'],
    ] as const) {
      assert.throws(() => githubFormat(payload, 'push'), { code: 'BAD_REQUEST', message: says });
    }
  });
});

test('a pattern matches an event as in a shell, with and without its action', () => {
  for (const [pattern, isMatch] of [
    ['issues', true],
    ['issues.opened', true],
    ['issue', false],
    ['*', true],
    ['issues.*', true],
    ['*.closed', false],
    ['issue?', true],
    ['?ssue', false],
    ['[hi]ssues', true],
    ['[!i]ssues', false],
    ['[', false],
    ['issues[.]opened', true],
    ['iss.es', false],
    ['ISSUES', false],
    ['[z-a]*', false],
    [`${'*a'.repeat(29)}*`, false],
  ] as const) {
    assert.equal(passes('issues.opened', { only_events: [pattern] }), isMatch, pattern);
    assert.equal(passes('issues.opened', { exclude_events: [pattern] }), !isMatch, pattern);
  }
});

const MIB = 1024 * 1024;

/** A body of at most one MiB, with as many of these parts as fit. */
const filled = (part: string, before: string, after: string) =>
  before + part.repeat(Math.floor((MIB - before.length - after.length) / part.length)).replace(/,$/, '') + after;

const SIGNS = [
  ...['*', '_', '~', '`', '```', '<', '[', '(', '@*', '*_~', '*a ', '_ a', '<a|', '&lt;', '<!date^1^a|', '<https://a'],
  ...['\n', ' ', '\u2003', '\ud800', '🧱'],
];

const NAMES = Array.from({ length: 29_000 }, (_, at) => `"a${at}":1`).join();

/** Bodies of a MiB that consist of a sign, or nearly so. */
const HOSTILE: readonly (readonly [name: string, format: WebhookFormat, body: string, event?: string])[] = [
  ['opening brackets', jsonFormat, filled('[', '', '')],
  ['lists in lists', jsonFormat, filled('['.repeat(60) + ']'.repeat(60), '', '')],
  ['29,000 lists, one in another', jsonFormat, '['.repeat(29_000) + ']'.repeat(29_000)],
  [
    '1,000 lists of 40 levels',
    jsonFormat,
    `[${Array(1_000)
      .fill('['.repeat(40) + ']'.repeat(40))
      .join()}]`,
  ],
  ['different names', jsonFormat, `{${NAMES}}`],
  ['different names beside a text', slackFormat, `{"text":1,"x":{${NAMES}}}`],
  ['numbers', jsonFormat, filled('1,', '[', ']')],
  ['10,000 blocks', slackFormat, `{"blocks":[${Array(10_000).fill('{"type":"divider"}').join()}]}`],
  ['numbers as blocks', slackFormat, filled('1,', '{"blocks":[', ']}')],
  ['29,000 lists as a block', slackFormat, `{"blocks":${'['.repeat(29_000)}${']'.repeat(29_000)}}`],
  ['14,000 commits', githubFormat, `{"commits":[${Array(14_000).fill('{"id":"a"}').join()}]}`, 'push'],
  [
    '2,900 fields',
    slackFormat,
    JSON.stringify({
      attachments: [{ fields: Array(2_900).fill({ title: 'a*'.repeat(60), value: '_a <b|'.repeat(30) }) }],
    }),
  ],
  ...SIGNS.flatMap((sign) => {
    const text = sign.repeat((MIB - 300) / JSON.stringify(sign).slice(1, -1).length);
    const element = { type: 'text', text, style: { bold: true } };
    const section = { type: 'rich_text_section', elements: [element] };
    const name = JSON.stringify(sign);
    const issue = { number: 1, html_url: 'https://a.example', title: 'x', body: text };
    return [
      [`a text of ${name}`, slackFormat, JSON.stringify({ text })] as const,
      [
        `rich text of ${name}`,
        slackFormat,
        JSON.stringify({ blocks: [{ type: 'rich_text', elements: [section] }] }),
      ] as const,
      [
        `a title of ${name}`,
        slackFormat,
        JSON.stringify({ attachments: [{ title: text, title_link: 'https://a.example' }] }),
      ] as const,
      [
        `an address of ${name}`,
        slackFormat,
        JSON.stringify({ attachments: [{ title: 'x', title_link: `https://${text}` }] }),
      ] as const,
      [`an issue of ${name}`, githubFormat, JSON.stringify({ ...issueEvent('opened'), issue }), 'issues'] as const,
    ];
  }),
];

test('the limit counts lists, objects and members, not the signs in texts', () => {
  const text = '[{\\":['.repeat(20_000);
  assert.deepEqual(parsePayload(JSON.stringify([text, { text }])), [text, { text }]);
  const refused = { message: /^payload has too many lists, objects and members/ };
  assert.throws(() => parsePayload(`[${'[],'.repeat(30_000)}1]`), refused);
  const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"a${at}":1`).join()}}`;
  assert.equal(Object.keys(parsePayload(members(29_999)) as object).length, 29_999);
  assert.throws(() => parsePayload(members(30_000)), refused);
});

/** A MiB that the JSON parser alone reads. */
const FLOOR = filled('[],', '[', ']');
/** On an idle machine, the highest is 1.5: 29,000 names beside a text. */
const MAX_RATIO = 4;

/** Microseconds of processor time. */
function costOf(read: () => unknown): number {
  const start = process.cpuUsage();
  try {
    read();
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
  }
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

test(`no body of one MiB costs more than ${MAX_RATIO} times as much as reading a MiB of lists`, () => {
  const floor = Math.min(...[1, 2, 3].map(() => costOf(() => JSON.parse(FLOOR))));
  for (const [name, format, body, event] of HOSTILE) {
    assert.ok(body.length <= MIB, `${name}: ${body.length} bytes`);
    let ratio = Number.POSITIVE_INFINITY;
    // A garbage collection may fall into one attempt.
    for (let attempt = 0; attempt < 3 && ratio > MAX_RATIO; attempt++)
      ratio = costOf(() => format(parsePayload(body), event)) / floor;
    assert.ok(ratio <= MAX_RATIO, `${name}: ${ratio}`);
  }
});
