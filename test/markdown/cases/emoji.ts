import type { Case } from './case.ts';

export const EMOJI_CASES: readonly Case[] = [
  {
    name: 'an emoji by name',
    input: 'nice :smile:',
    html: '<p>nice <span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span></p>',
  },
  {
    name: 'an emoji by an alias',
    input: 'ok :+1: :thumbs_up:',
    html: '<p>ok <span aria-label="+1" class="emoji emoji-1f44d" role="img" title="+1">:+1:</span> <span aria-label="thumbs up" class="emoji emoji-1f44d" role="img" title="thumbs up">:thumbs_up:</span></p>',
  },
  {
    name: 'underscores are spaces in an emoji title',
    input: ':big_smile:',
    html: '<p><span aria-label="big smile" class="emoji emoji-1f604" role="img" title="big smile">:big_smile:</span></p>',
  },
  {
    name: 'unknown',
    input: ':no_such_thing:',
    html: '<p>:no_such_thing:</p>',
  },
  {
    name: 'emoji without a space',
    input: ':heart::heart:',
    html: '<p><span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span><span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span></p>',
  },
  {
    name: 'an emoji in a word',
    input: 'a:cat:b',
    html: '<p>a<span aria-label="cat" class="emoji emoji-1f408" role="img" title="cat">:cat:</span>b</p>',
  },
  {
    name: 'an emoji name in capitals',
    input: ':Smile:',
    html: '<p>:Smile:</p>',
  },
  {
    name: 'the emoji :zulip:',
    input: ':zulip:',
    html: '<p><img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip"></p>',
  },
  {
    name: 'custom',
    input: ':party_parrot:',
    data: {
      customEmoji: new Map([
        ['party_parrot', '/user_avatars/1/emoji/images/7.gif'],
        ['cat', '/user_avatars/1/emoji/images/8.png'],
      ]),
    },
    html: '<p><img alt=":party_parrot:" class="emoji" src="/user_avatars/1/emoji/images/7.gif" title="party parrot"></p>',
  },
  {
    name: 'a custom emoji has precedence',
    input: ':cat:',
    data: {
      customEmoji: new Map([
        ['party_parrot', '/user_avatars/1/emoji/images/7.gif'],
        ['cat', '/user_avatars/1/emoji/images/8.png'],
      ]),
    },
    html: '<p><img alt=":cat:" class="emoji" src="/user_avatars/1/emoji/images/8.png" title="cat"></p>',
  },
  {
    name: 'an emoji in code',
    input: '`:smile:`',
    html: '<p><code>:smile:</code></p>',
  },
  {
    name: 'an emoji in strong',
    input: '**:smile:**',
    html: '<p><strong><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span></strong></p>',
  },
  {
    name: 'an emoji as a character',
    input: '🚀 up',
    html: '<p><span aria-label="rocket" class="emoji emoji-1f680" role="img" title="rocket">:rocket:</span> up</p>',
  },
  {
    name: 'two emoji characters',
    input: '🚀🚀',
    html: '<p><span aria-label="rocket" class="emoji emoji-1f680" role="img" title="rocket">:rocket:</span><span aria-label="rocket" class="emoji emoji-1f680" role="img" title="rocket">:rocket:</span></p>',
  },
  {
    name: 'an emoji with a joiner',
    input: '👩\u200d🔬',
    html: '<p><span aria-label="woman scientist" class="emoji emoji-1f469-200d-1f52c" role="img" title="woman scientist">:woman_scientist:</span></p>',
  },
  {
    name: 'an emoji with a variation selector',
    input: '❤\ufe0f',
    html: '<p><span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span></p>',
  },
  {
    name: 'an arrow is text',
    input: 'a ↔ b',
    html: '<p>a ↔ b</p>',
  },
  {
    name: 'a digit is text',
    input: '1 2 3',
    html: '<p>1 2 3</p>',
  },
  {
    name: 'a keycap',
    input: '1\ufe0f\u20e3',
    html: '<p><span aria-label="one" class="emoji emoji-0031-20e3" role="img" title="one">:one:</span></p>',
  },
  {
    name: 'a flag',
    input: '🇫🇷',
    html: '<p><span aria-label="flag france" class="emoji emoji-1f1eb-1f1f7" role="img" title="flag france">:flag_france:</span></p>',
  },
  {
    name: 'a letter with an accent',
    input: 'café',
    html: '<p>café</p>',
  },
  {
    name: 'a skin tone is ignored',
    input: '👍🏽',
    html: '<p>👍🏽</p>',
  },
  {
    name: 'emoticons stay by default',
    input: ':) :( <3',
    html: '<p>:) :( &lt;3</p>',
  },
  {
    name: 'emoticons are translated by the setting',
    input: ':) hm :( well <3',
    data: { options: { translateEmoticons: true } },
    html: '<p><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span> hm <span aria-label="frown" class="emoji emoji-1f641" role="img" title="frown">:frown:</span> well <span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span></p>',
  },
  {
    name: 'emoticons are translated only between punctuation',
    input: 'a:) :)b (:D)',
    data: { options: { translateEmoticons: true } },
    html: '<p>a:) :)b (<span aria-label="grinning" class="emoji emoji-1f600" role="img" title="grinning">:grinning:</span>)</p>',
  },
  {
    name: 'every emoticon',
    input: '(: :| :/ ;) :D :o :O :p :P',
    data: { options: { translateEmoticons: true } },
    html: '<p><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span> <span aria-label="neutral" class="emoji emoji-1f610" role="img" title="neutral">:neutral:</span> <span aria-label="confused" class="emoji emoji-1f615" role="img" title="confused">:confused:</span> <span aria-label="wink" class="emoji emoji-1f609" role="img" title="wink">:wink:</span> <span aria-label="grinning" class="emoji emoji-1f600" role="img" title="grinning">:grinning:</span> <span aria-label="open mouth" class="emoji emoji-1f62e" role="img" title="open mouth">:open_mouth:</span> <span aria-label="open mouth" class="emoji emoji-1f62e" role="img" title="open mouth">:open_mouth:</span> <span aria-label="stuck out tongue" class="emoji emoji-1f61b" role="img" title="stuck out tongue">:stuck_out_tongue:</span> <span aria-label="stuck out tongue" class="emoji emoji-1f61b" role="img" title="stuck out tongue">:stuck_out_tongue:</span></p>',
  },
  {
    name: 'a time of day is not an emoji',
    input: 'at 10:30: yes',
    html: '<p>at 10:30: yes</p>',
  },
  {
    name: 'an emoji name does not span lines',
    input: ':smi\nle:',
    html: '<p>:smi<br>\nle:</p>',
  },
];
