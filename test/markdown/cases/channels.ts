import type { RenderData } from '../../../lib/markdown/data.ts';
import type { Case } from './case.ts';

const CHANNELS: RenderData = {
  channels: [
    { id: 5, name: 'design' },
    { id: 7, name: 'R&D (2)' },
  ],
  topics: [
    { channel_id: 5, topic: 'colours', latest_message_id: 91 },
    { channel_id: 7, topic: '', latest_message_id: 92 },
  ],
};

export const CHANNELS_CASES: readonly Case[] = [
  {
    name: 'a channel',
    input: '#**design**',
    data: CHANNELS,
    html: '<p><a class="stream" data-stream-id="5" href="/#narrow/channel/5-design">#design</a></p>',
  },
  {
    name: 'a channel by its exact name',
    input: '#**Design**',
    data: CHANNELS,
    html: '<p>#<strong>Design</strong></p>',
  },
  {
    name: 'a name that needs encoding',
    input: '#**R&D (2)**',
    data: CHANNELS,
    html: '<p><a class="stream" data-stream-id="7" href="/#narrow/channel/7-R.26D-.282.29">#R&amp;D (2)</a></p>',
  },
  {
    name: 'an unknown channel',
    input: '#**nowhere**',
    data: CHANNELS,
    html: '<p>#<strong>nowhere</strong></p>',
  },
  {
    name: 'a topic',
    input: '#**design>logo, again**',
    data: CHANNELS,
    html: '<p><a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-design/topic/logo.2C.20again">#design &gt; logo, again</a></p>',
  },
  {
    name: 'a topic with its newest message',
    input: '#**design>colours**',
    data: CHANNELS,
    html: '<p><a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-design/topic/colours/with/91">#design &gt; colours</a></p>',
  },
  {
    name: 'the topic regardless of case',
    input: '#**design>COLOURS**',
    data: CHANNELS,
    html: '<p><a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-design/topic/COLOURS/with/91">#design &gt; COLOURS</a></p>',
  },
  {
    name: 'the empty topic',
    input: '#**design>**',
    data: CHANNELS,
    html: '<p><a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-design/topic/">#design &gt; <em>general chat</em></a></p>',
  },
  {
    name: 'the empty topic with its newest message',
    input: '#**R&D (2)>**',
    data: CHANNELS,
    html: '<p><a class="stream-topic" data-stream-id="7" href="/#narrow/channel/7-R.26D-.282.29/topic//with/92">#R&amp;D (2) &gt; <em>general chat</em></a></p>',
  },
  {
    name: 'special characters in a topic',
    input: '#**design>a.b/c & <d>**',
    data: CHANNELS,
    html: '<p><a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-design/topic/a.2Eb.2Fc.20.26.20.3Cd.3E">#design &gt; a.b/c &amp; &lt;d&gt;</a></p>',
  },
  {
    name: 'a message',
    input: '#**design>colours@214**',
    data: CHANNELS,
    html: '<p><a class="message-link" href="/#narrow/channel/5-design/topic/colours/near/214">#design &gt; colours @ 💬</a></p>',
  },
  {
    name: 'a message without a topic',
    input: '#**design>@214**',
    data: CHANNELS,
    html: '<p><a class="message-link" href="/#narrow/channel/5-design/topic//near/214">#design &gt; <em>general chat</em> @ 💬</a></p>',
  },
  {
    name: 'an at sign in a topic',
    input: '#**design>a@b@9**',
    data: CHANNELS,
    html: '<p><a class="message-link" href="/#narrow/channel/5-design/topic/a.40b/near/9">#design &gt; a@b @ 💬</a></p>',
  },
  {
    name: 'a channel link within a word is text',
    input: 'x#**design**',
    data: CHANNELS,
    html: '<p>x#<strong>design</strong></p>',
  },
  {
    name: 'a channel link in code is text',
    input: '`#**design**`',
    data: CHANNELS,
    html: '<p><code>#**design**</code></p>',
  },
  {
    name: 'a topic without a channel',
    input: '#**nowhere>x**',
    data: CHANNELS,
    html: '<p>#<strong>nowhere&gt;x</strong></p>',
  },
  {
    name: 'another name of the empty topic',
    input: '#**design>**',
    data: { ...CHANNELS, options: { emptyTopicName: 'the lobby' } },
    html: '<p><a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-design/topic/">#design &gt; <em>the lobby</em></a></p>',
  },
];
