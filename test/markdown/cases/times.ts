import type { Case } from './case.ts';

export const TIMES_CASES: readonly Case[] = [
  {
    name: 'a time with a zone',
    input: '<time:2031-04-05T06:07:08+02:00>',
    html: '<p><time datetime="2031-04-05T04:07:08Z">2031-04-05T06:07:08+02:00</time></p>',
  },
  {
    name: 'a time in UTC',
    input: '<time:2031-04-05T06:07:08Z>',
    html: '<p><time datetime="2031-04-05T06:07:08Z">2031-04-05T06:07:08Z</time></p>',
  },
  {
    name: 'a time without a zone',
    input: '<time:2031-04-05T06:07>',
    html: '<p><time datetime="2031-04-05T06:07:00Z">2031-04-05T06:07</time></p>',
  },
  {
    name: 'a day without a time',
    input: '<time:2031-04-05>',
    html: '<p><time datetime="2031-04-05T00:00:00Z">2031-04-05</time></p>',
  },
  {
    name: 'a time with a space',
    input: '<time:2031-04-05 06:07>',
    html: '<p><time datetime="2031-04-05T06:07:00Z">2031-04-05 06:07</time></p>',
  },
  {
    name: 'seconds since the epoch',
    input: '<time:1900000000>',
    html: '<p><time datetime="2030-03-17T17:46:40Z">1900000000</time></p>',
  },
  {
    name: 'fractions',
    input: '<time:2031-04-05T06:07:08.25Z>',
    html: '<p><time datetime="2031-04-05T06:07:08.250000Z">2031-04-05T06:07:08.25Z</time></p>',
  },
  {
    name: 'a month by name',
    input: '<time:5 April 2031>',
    html: '<p><time datetime="2031-04-05T00:00:00Z">5 April 2031</time></p>',
  },
  {
    name: 'american',
    input: '<time:Apr 5th 2031, 6:07PM>',
    html: '<p><time datetime="2031-04-05T18:07:00Z">Apr 5th 2031, 6:07PM</time></p>',
  },
  {
    name: 'a day of the week',
    input: '<time:Saturday, April 5 2031 18:07>',
    html: '<p><time datetime="2031-04-05T18:07:00Z">Saturday, April 5 2031 18:07</time></p>',
  },
  {
    name: 'a zone by name',
    input: '<time:5 Apr 2031 10:00 CET>',
    html: '<p><time datetime="2031-04-05T09:00:00Z">5 Apr 2031 10:00 CET</time></p>',
  },
  {
    name: 'text that is not a time',
    input: '<time:tomorrow>',
    html: '<p><span class="timestamp-error">Invalid time format: tomorrow</span></p>',
  },
  {
    name: 'a day that does not exist',
    input: '<time:2031-02-30>',
    html: '<p><span class="timestamp-error">Invalid time format: 2031-02-30</span></p>',
  },
  {
    name: 'an hour that does not exist',
    input: '<time:2031-02-03T25:00>',
    html: '<p><span class="timestamp-error">Invalid time format: 2031-02-03T25:00</span></p>',
  },
  {
    name: 'a zone that does not exist',
    input: '<time:2031-02-03T10:00+30:00>',
    html: '<p><span class="timestamp-error">Invalid time format: 2031-02-03T10:00+30:00</span></p>',
  },
  {
    name: 'empty',
    input: '<time:>',
    html: '<p><span class="timestamp-error">Invalid time format: </span></p>',
  },
  {
    name: 'markup in a time',
    input: '<time:<b>x</b>>',
    html: '<p><span class="timestamp-error">Invalid time format: &lt;b</span>x&lt;/b&gt;&gt;</p>',
  },
  {
    name: 'too many seconds',
    input: '<time:99999999999999>',
    html: '<p><span class="timestamp-error">Invalid time format: 99999999999999</span></p>',
  },
  {
    name: 'a time in strong',
    input: '**at <time:2031-04-05>**',
    html: '<p><strong>at <time datetime="2031-04-05T00:00:00Z">2031-04-05</time></strong></p>',
  },
  {
    name: 'a time in code',
    input: '`<time:2031-04-05>`',
    html: '<p><code>&lt;time:2031-04-05&gt;</code></p>',
  },
];
