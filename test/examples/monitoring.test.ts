import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { parse } from 'yaml';
import { Metrics } from '../../server/index.ts';
import { running } from '../server/running.ts';
import { engines, testOn } from '../support/engines.ts';

const fileAt = (name: string) => fileURLToPath(new URL(`../../examples/deploy/${name}`, import.meta.url));
const ALERTS = fileAt('prometheus-alerts.yml');

const text = v.pipe(v.string(), v.nonEmpty());
const number = v.pipe(v.number(), v.integer(), v.minValue(0));
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
const source = v.strictObject({ type: v.literal('prometheus'), uid: v.literal('${datasource}') });

/** The parts of Grafana's dashboard model (schema 39) that the file uses. */
const Dashboard = v.strictObject({
  uid: v.pipe(text, v.regex(/^[\w-]{1,40}$/)),
  title: text,
  description: text,
  tags: v.array(text),
  schemaVersion: v.literal(39),
  version: number,
  editable: v.boolean(),
  refresh: v.pipe(text, v.regex(/^\d+[smh]$/)),
  time: v.strictObject({ from: text, to: text }),
  timezone: v.picklist(['browser', 'utc']),
  annotations: v.strictObject({ list: v.array(v.never()) }),
  templating: v.strictObject({
    list: v.tuple([
      v.strictObject({
        name: v.literal('datasource'),
        label: text,
        type: v.literal('datasource'),
        query: v.literal('prometheus'),
        refresh: number,
      }),
      v.strictObject({
        name: text,
        label: text,
        type: v.literal('query'),
        datasource: source,
        query: text,
        refresh: v.picklist([1, 2]),
        includeAll: v.boolean(),
        multi: v.boolean(),
        allValue: text,
        current: v.strictObject({ text, value: text }),
      }),
    ]),
  }),
  panels: v.array(
    v.strictObject({
      id: number,
      type: v.picklist(['stat', 'timeseries']),
      title: text,
      description: v.string(),
      datasource: source,
      gridPos: v.strictObject({ x: number, y: number, w: number, h: number }),
      fieldConfig: v.strictObject({
        defaults: v.strictObject({
          unit: v.picklist(['none', 'short', 's', 'bytes', 'reqps', 'percentunit']),
          min: v.optional(number),
          mappings: v.optional(
            v.array(v.strictObject({ type: v.literal('value'), options: v.record(text, v.object({})) })),
          ),
          thresholds: v.optional(
            v.strictObject({
              mode: v.literal('absolute'),
              // The first step has no lower end.
              steps: v.tupleWithRest(
                [v.strictObject({ color: text, value: v.null() })],
                v.object({ value: v.number() }),
              ),
            }),
          ),
        }),
        overrides: v.array(v.never()),
      }),
      options: v.record(text, v.unknown()),
      targets: v.pipe(
        v.array(v.strictObject({ refId: text, datasource: source, expr: text, legendFormat: v.string() })),
        v.minLength(1),
      ),
    }),
  ),
});

const Rules = v.strictObject({
  groups: v.array(
    v.strictObject({
      name: text,
      rules: v.array(
        v.strictObject({
          alert: v.pipe(text, v.regex(/^Parlance[A-Z][A-Za-z]+$/)),
          expr: text,
          for: v.optional(v.pipe(text, v.regex(/^\d+[smh]$/))),
          labels: v.strictObject({ severity: v.picklist(['critical', 'warning']) }),
          annotations: v.strictObject({ summary: text, description: text }),
        }),
      ),
    }),
  ),
});

const dashboard = v.parse(Dashboard, JSON.parse(readFileSync(fileAt('grafana-dashboard.json'), 'utf8')));
const rules = v.parse(Rules, parse(readFileSync(ALERTS, 'utf8'))).groups.flatMap((group) => group.rules);
const expressions = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ query }) => query),
  ...rules.map(({ expr }) => expr),
];

/** Labels that Prometheus adds to what it scrapes. */
const ADDED = ['instance', 'job'];

/** Metrics in an expression, with the labels by which it selects and groups them. */
function metricsIn(expression: string): { name: string; labels: string[] }[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  return [...expression.matchAll(/\b((?:parlance|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selector = '']) => ({
      name,
      labels: [...[...selector.matchAll(/(\w+)(?:=~?|!=|!~)"/g)].map(([, label = '']) => label), ...grouped],
    }),
  );
}

describe('monitoring in examples/deploy', () => {
  test('panels of the dashboard have their own numbers and places', () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos, targets } of dashboard.panels) {
      const { x, y, w, h } = gridPos;
      assert.ok(x + w <= 24, `${title} is wider than the page`);
      for (let row = y; row < y + h; row++)
        for (let column = x; column < x + w; column++) {
          const place = `${column} ${row}`;
          assert.equal(taken.get(place), undefined, `${title} is in the place of another panel`);
          taken.set(place, title);
        }
      assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length);
    }
    for (const of of [dashboard.panels.map(({ id }) => id), dashboard.panels.map(({ title }) => title)])
      assert.equal(new Set<unknown>(of).size, of.length);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  });

  test('brackets and quotation marks of every expression are in pairs', () => {
    for (const expression of expressions) {
      const open: string[] = [];
      for (const sign of expression.replace(/"[^"]*"/g, '')) {
        if ('([{'.includes(sign)) open.push(sign);
        if (')]}'.includes(sign)) assert.equal(open.pop(), { ')': '(', ']': '[', '}': '{' }[sign], expression);
      }
      assert.deepEqual(open, [], expression);
      assert.ok(!expression.replace(/"[^"]*"/g, '').includes('"'), expression);
    }
  });

  const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
  test('Prometheus accepts the alert rules and the expressions of the dashboard', {
    skip: !hasPromtool && 'promtool is not installed',
  }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-rules-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const inDashboard = dashboard.panels
      .flatMap(({ targets }) => targets)
      .map(({ expr }, at) => ({
        record: `dashboard:expression${at}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }));
    // YAML contains JSON.
    const written = join(folder, 'dashboard.yml');
    await writeFile(written, JSON.stringify({ groups: [{ name: 'dashboard', rules: inDashboard }] }));
    const check = spawnSync('promtool', ['check', 'rules', ALERTS, written], { encoding: 'utf8' });
    assert.equal(check.status, 0, `${check.stdout}${check.stderr}`);
  });

  for (const engine of engines)
    testOn(engine)(
      `a server on ${engine.name} has every metric and label of the dashboard and the alerts`,
      async (t) => {
        const place = await engine.open();
        t.after(() => place.dispose());
        const metrics = new Metrics();
        const { send } = await running(t, { metrics, inspectionToken: 'secret' }, { storage: place.storage });
        await send('GET', '/api/v1/users/me');
        const answer = await send('GET', '/metrics', { auth: 'Bearer secret' });
        const lines = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
        const labelsOf = new Map<string, Set<string>>();
        for (const line of lines) {
          const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
          const known = labelsOf.get(name) ?? new Set(ADDED);
          for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
          labelsOf.set(name, known);
        }
        const named = expressions.flatMap(metricsIn);
        assert.ok(new Set(named.map(({ name }) => name)).size > 15);
        for (const { name, labels } of named) {
          const known = labelsOf.get(name);
          assert.ok(known, `${name} is missing in /metrics`);
          for (const label of labels) assert.ok(known.has(label), `${name} has no label ${label}`);
        }
      },
    );
});
