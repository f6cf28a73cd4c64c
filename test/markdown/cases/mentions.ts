import type { RenderData } from '../../../lib/markdown/data.ts';
import type { Case } from './case.ts';

const PEOPLE: RenderData = {
  users: [
    { id: 10, full_name: 'Ada Byron', is_active: true },
    { id: 12, full_name: 'Blaise Pascal', is_active: true },
    { id: 13, full_name: 'Old Hand', is_active: false },
    { id: 14, full_name: 'A <i> & co', is_active: true },
  ],
  groups: [
    { id: 1, name: 'role:nobody', label: 'Nobody', deactivated: false },
    { id: 17, name: 'staff', deactivated: false },
    { id: 18, name: 'old crew', deactivated: true },
  ],
};

export const MENTIONS_CASES: readonly Case[] = [
  {
    name: 'a user',
    input: 'hello @**Ada Byron**',
    data: PEOPLE,
    html: '<p>hello <span class="user-mention" data-user-id="10">@Ada Byron</span></p>',
  },
  {
    name: 'silently',
    input: 'hello @_**Ada Byron**',
    data: PEOPLE,
    html: '<p>hello <span class="user-mention silent" data-user-id="10">Ada Byron</span></p>',
  },
  {
    name: 'a user regardless of case',
    input: '@**ada byron**',
    data: PEOPLE,
    html: '<p><span class="user-mention" data-user-id="10">@Ada Byron</span></p>',
  },
  {
    name: 'a user with the ID',
    input: '@**Ada Byron|10**',
    data: PEOPLE,
    html: '<p><span class="user-mention" data-user-id="10">@Ada Byron</span></p>',
  },
  {
    name: 'a user by the ID',
    input: '@**|10**',
    data: PEOPLE,
    html: '<p><span class="user-mention" data-user-id="10">@Ada Byron</span></p>',
  },
  {
    name: "a name with another user's ID",
    input: '@**Ada Byron|12**',
    data: PEOPLE,
    html: '<p>@<strong>Ada Byron|12</strong></p>',
  },
  {
    name: 'an unknown ID',
    input: '@**|99**',
    data: PEOPLE,
    html: '<p>@<strong>|99</strong></p>',
  },
  {
    name: 'an unknown user',
    input: '@**Nobody Here**',
    data: PEOPLE,
    html: '<p>@<strong>Nobody Here</strong></p>',
  },
  {
    name: 'a deactivated user',
    input: '@**Old Hand**',
    data: PEOPLE,
    html: '<p><span class="user-mention silent" data-user-id="13">Old Hand</span></p>',
  },
  {
    name: 'special characters in a name',
    input: '@**A <i> & co**',
    data: PEOPLE,
    html: '<p><span class="user-mention" data-user-id="14">@A &lt;i&gt; &amp; co</span></p>',
  },
  {
    name: 'a mention in a quote is silent',
    input: '> @**Ada Byron**',
    data: PEOPLE,
    html: '<blockquote>\n<p><span class="user-mention silent" data-user-id="10">Ada Byron</span></p>\n</blockquote>',
  },
  {
    name: 'a mention in a fenced quote',
    input: '```quote\n@**Ada Byron** @*staff* @**all**\n```',
    data: PEOPLE,
    html: '<blockquote>\n<p><span class="user-mention silent" data-user-id="10">Ada Byron</span> <span class="user-group-mention silent" data-user-group-id="17">staff</span> <span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span></p>\n</blockquote>',
  },
  {
    name: 'a mention in code is text',
    input: '`@**Ada Byron**`',
    data: PEOPLE,
    html: '<p><code>@**Ada Byron**</code></p>',
  },
  {
    name: 'a mention within a word is text',
    input: 'me@**Ada Byron**',
    data: PEOPLE,
    html: '<p>me@<strong>Ada Byron</strong></p>',
  },
  {
    name: 'a mention after a parenthesis',
    input: '(@**Ada Byron**)',
    data: PEOPLE,
    html: '<p>(<span class="user-mention" data-user-id="10">@Ada Byron</span>)</p>',
  },
  {
    name: 'a mention in strong',
    input: '**to @_**Ada Byron** now**',
    data: PEOPLE,
    html: '<p><strong>to <span class="user-mention silent" data-user-id="10">Ada Byron</span> now</strong></p>',
  },
  {
    name: 'a mention in a list',
    input: '* @**Ada Byron**',
    data: PEOPLE,
    html: '<ul>\n<li><span class="user-mention" data-user-id="10">@Ada Byron</span></li>\n</ul>',
  },
  {
    name: 'a mention in a link',
    input: '[@**Ada Byron**](https://a.example)',
    data: PEOPLE,
    html: '<p><a href="https://a.example"><span class="user-mention" data-user-id="10">@Ada Byron</span></a></p>',
  },
  {
    name: 'all users',
    input: '@**all** @**everyone** @**channel** @**stream**',
    data: PEOPLE,
    html: '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span> <span class="user-mention channel-wildcard-mention" data-user-id="*">@everyone</span> <span class="user-mention channel-wildcard-mention" data-user-id="*">@channel</span> <span class="user-mention channel-wildcard-mention" data-user-id="*">@stream</span></p>',
  },
  {
    name: 'all users, silent',
    input: '@_**all**',
    data: PEOPLE,
    html: '<p><span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span></p>',
  },
  {
    name: 'the topic',
    input: '@**topic**',
    data: PEOPLE,
    html: '<p><span class="topic-mention">@topic</span></p>',
  },
  {
    name: 'the topic, silent',
    input: '@_**topic**',
    data: PEOPLE,
    html: '<p><span class="topic-mention silent">topic</span></p>',
  },
  {
    name: 'a group',
    input: '@*staff*',
    data: PEOPLE,
    html: '<p><span class="user-group-mention" data-user-group-id="17">@staff</span></p>',
  },
  {
    name: 'a group, silent',
    input: '@_*staff*',
    data: PEOPLE,
    html: '<p><span class="user-group-mention silent" data-user-group-id="17">staff</span></p>',
  },
  {
    name: 'a group in capitals',
    input: '@*STAFF*',
    data: PEOPLE,
    html: '<p><span class="user-group-mention" data-user-group-id="17">@staff</span></p>',
  },
  {
    name: 'an unknown group',
    input: '@*stuff*',
    data: PEOPLE,
    html: '<p>@<em>stuff</em></p>',
  },
  {
    name: 'a deactivated group',
    input: '@*old crew*',
    data: PEOPLE,
    html: '<p><span class="user-group-mention silent" data-user-group-id="18">old crew</span></p>',
  },
  {
    name: 'a system group',
    input: '@_*role:nobody*',
    data: PEOPLE,
    html: '<p><span class="user-group-mention silent" data-user-group-id="1">Nobody</span></p>',
  },
  {
    name: 'twice',
    input: '@**Ada Byron** @**Ada Byron**',
    data: PEOPLE,
    html: '<p><span class="user-mention" data-user-id="10">@Ada Byron</span> <span class="user-mention" data-user-id="10">@Ada Byron</span></p>',
  },
  {
    name: 'mentions without data',
    input: '@**Ada Byron** @*staff* #**design**',
    html: '<p>@<strong>Ada Byron</strong> @<em>staff</em> #<strong>design</strong></p>',
  },
];
