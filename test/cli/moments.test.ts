import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTimestamp, offsetAt, parseDate, timestampIn } from '../../cli/arguments/dates.ts';
import { UsageError } from '../../cli/failure.ts';

/** Wednesday, 18 November 2026, 12:00 UTC: 13:00 in Paris, 07:00 in New York, 01:00 of the 19th in Auckland. */
const NOW = Date.UTC(2026, 10, 18, 12);

const utc = (text: string, zone = 'UTC', now = NOW) =>
  new Date(timestampIn(parseDate('--at', text, now), zone, now) * 1000).toISOString().replace(/:00\.000Z$/, 'Z');

const refused = (text: string, zone = 'UTC') =>
  assert.throws(
    () => timestampIn(parseDate('--at', text, NOW), zone, NOW),
    (error) => error instanceof UsageError && error.advice !== undefined,
    text,
  );

describe('parsing a date and time', () => {
  it('a day with a time of day is in the time zone', () => {
    assert.equal(utc('tomorrow 9:00', 'Europe/Paris'), '2026-11-19T08:00Z');
    assert.equal(utc('today 17:30', 'Europe/Paris'), '2026-11-18T16:30Z');
    assert.equal(utc('2026-12-01 09:00', 'America/New_York'), '2026-12-01T14:00Z');
    assert.equal(utc('2026-12-01T09:00:30', 'UTC'), '2026-12-01T09:00:30.000Z');
    assert.equal(utc('2026-12-01 09:00', 'Asia/Kolkata'), '2026-12-01T03:30Z');
  });

  it('today and tomorrow are dates in the time zone, not in UTC', () => {
    assert.equal(utc('tomorrow 9:00', 'Pacific/Auckland'), '2026-11-19T20:00Z');
    assert.equal(utc('today 9:00', 'Pacific/Auckland'), '2026-11-18T20:00Z');
    assert.equal(utc('tomorrow 9:00', 'America/New_York'), '2026-11-19T14:00Z');
  });

  it('a day of the week is its next occurrence, never today', () => {
    assert.equal(utc('friday 9:00'), '2026-11-20T09:00Z');
    assert.equal(utc('Wed 13:00'), '2026-11-25T13:00Z');
    assert.equal(utc('tuesday 9am'), '2026-11-24T09:00Z');
  });

  it('a time of day alone is its next occurrence', () => {
    assert.equal(utc('12:01'), '2026-11-18T12:01Z');
    assert.equal(utc('12:00'), '2026-11-19T12:00Z');
    assert.equal(utc('9:30 pm'), '2026-11-18T21:30Z');
    assert.equal(utc('12am'), '2026-11-19T00:00Z');
    assert.equal(utc('12:15pm'), '2026-11-18T12:15Z');
  });

  it('a duration such as +2h counts from now, in any time zone', () => {
    assert.equal(utc('+2h', 'Europe/Paris'), '2026-11-18T14:00Z');
    assert.equal(utc('+1h30m'), '2026-11-18T13:30Z');
    assert.equal(utc('+90s'), '2026-11-18T12:01:30.000Z');
    assert.equal(utc('+1w'), '2026-11-25T12:00Z');
  });

  it('a time with an offset, or in seconds, ignores the time zone', () => {
    assert.equal(utc('2026-12-01T09:00Z', 'Europe/Paris'), '2026-12-01T09:00Z');
    assert.equal(utc('2026-12-01 09:00+01:00', 'America/New_York'), '2026-12-01T08:00Z');
    assert.equal(utc('1796115600', 'Europe/Paris'), '2026-12-01T09:00Z');
  });

  it('F12: durations in words, "next monday" and dates with month names are understood', () => {
    assert.equal(utc('in 2 hours'), '2026-11-18T14:00Z');
    assert.equal(utc('in 1 minute'), '2026-11-18T12:01Z');
    assert.equal(utc('In 3 days'), '2026-11-21T12:00Z');
    assert.equal(utc('in 1 week'), '2026-11-25T12:00Z');
    assert.equal(utc('next monday 9:00'), '2026-11-23T09:00Z');
    assert.equal(utc('on Friday at 9am'), '2026-11-20T09:00Z');
    assert.equal(utc('next wed 13:00'), '2026-11-25T13:00Z');
    assert.equal(utc('tomorrow at 9:30 pm'), '2026-11-19T21:30Z');
    assert.equal(utc('Dec 24 18:00'), '2026-12-24T18:00Z');
    assert.equal(utc('24 December 18:00', 'Europe/Paris'), '2026-12-24T17:00Z');
    assert.equal(utc('jan 5 9:00'), '2027-01-05T09:00Z');
    assert.equal(utc('sept 1 2029 9:00'), '2029-09-01T09:00Z');
    assert.equal(utc('Sep 1, 2029 9:00'), '2029-09-01T09:00Z');
    assert.equal(utc('Nov 18 13:00'), '2026-11-18T13:00Z');
    assert.equal(utc('feb 29 9:00'), '2028-02-29T09:00Z');
  });

  it('F12: ambiguous or invalid words are refused', () => {
    for (const text of [
      ...['in 2 months', 'in 2', 'in two hours', 'in -1 hours', 'next 9:00', 'next week', 'ma 5 9:00', 'ju 1 9:00'],
      ...['feb 30 9:00', 'feb 29 2027 9:00', 'dec 0 9:00', 'dec 24', '24 18:00', '12/24 18:00', 'hello 5 9:00'],
      `${' '.repeat(50_000)}x${'T'.repeat(50_000)} 9:00`,
    ]) {
      refused(text);
    }
  });

  it('other texts are refused with the accepted forms', () => {
    for (const text of ['', ' ', 'soon', '9', '25:00', '9:60', '13pm', '0am', 'tomorrow', '2026-12-01', 'today9:00']) {
      refused(text);
    }
    for (const text of [
      '2026-02-29 09:00',
      '2026-13-01 09:00',
      '1.12.2026 09:00',
      '+2',
      '+2y',
      '-2h',
      'someday 9:00',
    ]) {
      refused(text);
    }
  });
});

describe('dates and times at changes of the clock', () => {
  it('a time skipped by the change to summer time is refused, and times around it are not', () => {
    refused('2027-03-28 02:30', 'Europe/Paris');
    refused('2027-03-28 02:00', 'Europe/Paris');
    assert.equal(utc('2027-03-28 01:59', 'Europe/Paris'), '2027-03-28T00:59Z');
    assert.equal(utc('2027-03-28 03:00', 'Europe/Paris'), '2027-03-28T01:00Z');
    refused('2027-03-14 02:30', 'America/New_York');
    assert.equal(utc('2027-03-14 03:00', 'America/New_York'), '2027-03-14T07:00Z');
  });

  it('a time that occurs twice is the first, unless an offset is given', () => {
    assert.equal(utc('2027-10-31 02:30', 'Europe/Paris'), '2027-10-31T00:30Z');
    assert.equal(utc('2027-10-31 02:30+01:00', 'Europe/Paris'), '2027-10-31T01:30Z');
    assert.equal(utc('2027-10-31 01:59', 'Europe/Paris'), '2027-10-30T23:59Z');
    assert.equal(utc('2027-10-31 03:00', 'Europe/Paris'), '2027-10-31T02:00Z');
    assert.equal(utc('2026-11-01 01:30', 'America/New_York'), '2026-11-01T05:30Z');
  });

  it('tomorrow is the next date, also if the day does not have 24 hours', () => {
    const evening = Date.UTC(2027, 2, 27, 20);
    assert.equal(utc('tomorrow 21:00', 'Europe/Paris', evening), '2027-03-28T19:00Z');
    const autumn = Date.UTC(2027, 9, 30, 20);
    assert.equal(utc('tomorrow 22:00', 'Europe/Paris', autumn), '2027-10-31T21:00Z');
    assert.equal(utc('+1d', 'Europe/Paris', evening), '2027-03-28T20:00Z');
  });

  it('the half-hour change of Lord Howe Island is respected', () => {
    assert.equal(utc('2027-04-04 01:45', 'Australia/Lord_Howe'), '2027-04-03T14:45Z');
    refused('2026-10-04 02:15', 'Australia/Lord_Howe');
  });

  it('a time on a day that the time zone skipped is refused', () => {
    refused('2011-12-30 12:00', 'Pacific/Apia');
  });
});

describe('formatting a date and time', () => {
  it('uses the time zone and names it', () => {
    assert.equal(formatTimestamp(NOW / 1000, 'Europe/Paris'), '2026-11-18 13:00 (Europe/Paris)');
    assert.equal(formatTimestamp(NOW / 1000 + 5, 'UTC'), '2026-11-18 12:00:05 (UTC)');
    assert.equal(
      formatTimestamp(Date.UTC(2027, 2, 28, 0, 59) / 1000, 'Europe/Paris'),
      '2027-03-28 01:59 (Europe/Paris)',
    );
    assert.equal(
      formatTimestamp(Date.UTC(2027, 2, 28, 1, 0) / 1000, 'Europe/Paris'),
      '2027-03-28 03:00 (Europe/Paris)',
    );
  });

  it('is parsed back to the same time, for every hour of a year in five time zones', () => {
    const zones = ['Europe/Paris', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca'];
    for (const zone of zones) {
      let twice = 0;
      for (let hour = 0; hour < 366 * 24; hour++) {
        const seconds = Date.UTC(2026, 0, 1, hour) / 1000;
        const again = timestampIn(parseDate('--at', formatTimestamp(seconds, zone).slice(0, 16), NOW), zone, NOW);
        if (again === seconds) continue;
        // The second of two hours with the same local time.
        assert.equal(seconds - again, (offsetAt(zone, again * 1000) - offsetAt(zone, seconds * 1000)) / 1000);
        twice++;
      }
      assert.ok(twice <= 2, `${zone}: ${twice}`);
    }
  });
});
