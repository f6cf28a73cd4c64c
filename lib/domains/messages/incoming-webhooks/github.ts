import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { readParameter } from '../../../engine/parameters.ts';
import { quotation } from '../notification-bot.ts';
import { joined, link, objectOf, oneLine, shortened, type WebhookFormat, type WebhookMessage } from './format.ts';

/** GitHub sends no more in a push. */
const MAX_COMMITS = 2_048;
const MAX_SHOWN_COMMITS = 10;
/** Characters of a title, and of the text of an issue, a review or a release. */
const MAX_TITLE = 200;
const MAX_BODY = 1_000;

const text = v.string('must be a text');
const optionalText = v.nullish(text);
const account = objectOf({ login: text });
const repository = objectOf({ name: text, full_name: text, html_url: text });

/** What all events have. Pings of an organization have no repository. */
const common = { sender: account, repository };

const discussed = { number: v.number('must be a number'), title: text, html_url: text };
const issue = objectOf({ ...discussed, body: optionalText, pull_request: v.nullish(v.unknown()) });
const pullRequest = objectOf({ ...discussed, body: optionalText, merged: v.nullish(v.boolean('must be a boolean')) });
const comment = objectOf({ html_url: text, body: optionalText });
const check = objectOf({
  name: optionalText,
  conclusion: optionalText,
  html_url: optionalText,
  head_branch: optionalText,
  head_sha: text,
  app: v.nullish(objectOf({ name: text })),
  check_suite: v.nullish(objectOf({ head_branch: optionalText })),
});

/** An event, as its schema and the message that it gives. */
interface Event {
  schema: v.GenericSchema;
  message(event: never): WebhookMessage | undefined;
}

function define<E extends v.ObjectEntries>(
  entries: E,
  message: (event: v.InferOutput<v.ObjectSchema<E, undefined>>) => WebhookMessage | undefined,
): Event {
  return { schema: objectOf(entries), message };
}

const action = { ...common, action: text };

/** The events that give messages, by the header `X-GitHub-Event`. */
const EVENTS: Readonly<Record<string, Event>> = {
  ping: define({ zen: optionalText, repository: v.nullish(repository) }, ({ repository: from }) => ({
    event: 'ping',
    ...(from ? { topic: from.name } : {}),
    content: from ? `The events of ${repositoryLink(from)} arrive here.` : 'The events of GitHub arrive here.',
  })),
  push: define(
    {
      ...common,
      ref: text,
      compare: text,
      created: v.nullish(v.boolean('must be a boolean')),
      deleted: v.nullish(v.boolean('must be a boolean')),
      forced: v.nullish(v.boolean('must be a boolean')),
      commits: v.pipe(
        v.array(v.unknown(), 'must be a list'),
        v.maxLength(MAX_COMMITS, `has too many elements (limit: ${MAX_COMMITS})`),
        v.array(objectOf({ id: text, message: text, url: text })),
      ),
    },
    (event) => {
      const { sender, repository: from, ref, compare, commits } = event;
      const [, kind, name = ref] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? [];
      const what = `${kind === 'tags' ? 'tag' : 'branch'} ${link(code(name), compare)}`;
      const count = `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`;
      const did = event.deleted
        ? `deleted the ${what}`
        : event.created
          ? `created the ${what}${commits.length > 0 ? ` with ${count}` : ''}`
          : `${event.forced ? 'force-pushed' : 'pushed'} ${count} to the ${what}`;
      const lines = commits.slice(0, MAX_SHOWN_COMMITS).map((commit) => {
        const [subject = ''] = commit.message.trimStart().split('\n', 1);
        return `* ${link(code(commit.id.slice(0, 7)), commit.url)} ${title(subject)}`;
      });
      const rest = commits.length - lines.length;
      if (rest > 0) lines.push(`* and ${rest} more`);
      return {
        event: 'push',
        topic: `${from.name} / ${name}`,
        content: joined([`${who(sender)} ${did}.`, ...lines], '\n'),
      };
    },
  ),
  pull_request: define({ ...action, pull_request: pullRequest }, ({ pull_request: pull, ...event }) => {
    const done = event.action === 'closed' ? (pull.merged ? 'merged' : 'closed') : PULL_ACTIONS.get(event.action);
    if (done === undefined) return undefined;
    const body = event.action === 'opened' ? pull.body : undefined;
    return about('pull_request', event, pull, { kind: 'PR', done: `${done} ${named('pull request', pull)}`, body });
  }),
  pull_request_review: define(
    {
      ...action,
      pull_request: pullRequest,
      review: objectOf({ html_url: text, body: optionalText, state: text }),
    },
    ({ pull_request: pull, review, ...event }) => {
      const verdict = REVIEWS.get(review.state.toLowerCase());
      if (event.action !== 'submitted' || verdict === undefined) return undefined;
      const done = `${link(verdict, review.html_url)} ${named('pull request', pull)}`;
      return about('pull_request_review', event, pull, { kind: 'PR', done, body: review.body });
    },
  ),
  pull_request_review_comment: define({ ...action, pull_request: pullRequest, comment }, (event) =>
    commented('pull_request_review_comment', event, event.pull_request, 'PR'),
  ),
  issues: define({ ...action, issue }, ({ issue: given, ...event }) => {
    const done = ISSUE_ACTIONS.get(event.action);
    if (done === undefined) return undefined;
    const body = event.action === 'opened' ? given.body : undefined;
    return about('issues', event, given, { kind: 'issue', done: `${done} ${named('issue', given)}`, body });
  }),
  issue_comment: define({ ...action, issue, comment }, (event) =>
    commented('issue_comment', event, event.issue, event.issue.pull_request ? 'PR' : 'issue'),
  ),
  release: define(
    {
      ...action,
      release: objectOf({ tag_name: text, name: optionalText, html_url: text, body: optionalText }),
    },
    ({ release, ...event }) => {
      if (event.action !== 'published') return undefined;
      const name = title(release.name || release.tag_name);
      return {
        event: 'release.published',
        topic: `${event.repository.name} / release ${release.tag_name}`,
        content: withBody(`${who(event.sender)} published ${link(name, release.html_url)}.`, release.body),
      };
    },
  ),
  check_run: define({ ...action, check_run: check }, (event) => checked('check_run', event, event.check_run, 'Check')),
  check_suite: define({ ...action, check_suite: check }, (event) =>
    checked('check_suite', event, event.check_suite, 'Checks of'),
  ),
  workflow_run: define({ ...action, workflow_run: check }, (event) =>
    checked('workflow_run', event, event.workflow_run, 'Workflow'),
  ),
};

const PULL_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['opened', 'opened'],
  ['reopened', 'reopened'],
  ['ready_for_review', 'marked as ready for review:'],
  ['converted_to_draft', 'converted to a draft:'],
]);

const ISSUE_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['opened', 'opened'],
  ['closed', 'closed'],
  ['reopened', 'reopened'],
  ['deleted', 'deleted'],
]);

const REVIEWS: ReadonlyMap<string, string> = new Map([
  ['approved', 'approved'],
  ['changes_requested', 'requested changes in'],
  ['commented', 'reviewed'],
]);

const CONCLUSIONS: ReadonlyMap<string, string> = new Map([
  ['success', 'succeeded'],
  ['failure', 'failed'],
  ['timed_out', 'timed out'],
  ['cancelled', 'was cancelled'],
  ['action_required', 'needs an action'],
  ['startup_failure', 'could not start'],
]);

/**
 * Webhooks of GitHub. An event is the header `X-GitHub-Event` and the action, such as `issues.opened`. For checks it is
 * the conclusion, such as `check_run.failure`. Other events and actions give no message.
 */
export const githubFormat: WebhookFormat = (payload, name) => {
  if (name === undefined) throw new BadRequest('event is missing. GitHub sends it as the header X-GitHub-Event.');
  if (!Object.hasOwn(EVENTS, name)) return undefined;
  const { schema, message } = EVENTS[name] as Event;
  return message(readParameter('payload', schema, payload) as never);
};

type Acted = { action: string; sender: v.InferOutput<typeof account>; repository: v.InferOutput<typeof repository> };
type Discussed = { number: number; title: string; html_url: string };

function about(
  name: string,
  { action: did, sender, repository: from }: Acted,
  { number, title: subject }: Discussed,
  { kind, done, body }: { kind: 'PR' | 'issue'; done: string; body: string | null | undefined },
): WebhookMessage {
  return {
    event: `${name}.${did}`,
    topic: `${from.name} / ${kind} #${number} ${oneLine(subject)}`,
    content: withBody(`${who(sender)} ${done}.`, body),
  };
}

function commented(
  name: string,
  event: Acted & { comment: v.InferOutput<typeof comment> },
  on: Discussed,
  kind: 'PR' | 'issue',
): WebhookMessage | undefined {
  if (event.action !== 'created') return undefined;
  const { html_url, body } = event.comment;
  const done = `${link('commented', html_url)} on ${named(kind === 'PR' ? 'pull request' : 'issue', on)}`;
  return about(name, event, on, { kind, done, body });
}

function checked(
  name: string,
  { action: did, repository: from }: Acted,
  given: v.InferOutput<typeof check>,
  kind: string,
): WebhookMessage | undefined {
  if (did !== 'completed' || !given.conclusion) return undefined;
  const result = CONCLUSIONS.get(given.conclusion);
  if (result === undefined) return undefined;
  const branch = given.head_branch || given.check_suite?.head_branch || given.head_sha.slice(0, 7);
  const label = title(given.name || given.app?.name || 'GitHub');
  return {
    event: `${name}.${given.conclusion}`,
    topic: `${from.name} / ${branch}`,
    content: `${kind} ${link(label, given.html_url ?? '')} ${result} on ${code(branch)} (${code(given.head_sha.slice(0, 7))}).`,
  };
}

const who = ({ login }: v.InferOutput<typeof account>) => `**${title(login)}**`;
const title = (given: string) => shortened(oneLine(given), MAX_TITLE);
const code = (given: string) => `\`${title(given).replaceAll('`', "'")}\``;
const repositoryLink = ({ full_name, html_url }: v.InferOutput<typeof repository>) => link(title(full_name), html_url);

const named = (kind: string, { number, title: subject, html_url }: Discussed) =>
  `${kind} ${link(`#${number} ${title(subject)}`, html_url)}`;

function withBody(sentence: string, body: string | null | undefined): string {
  const quoted = shortened((body ?? '').slice(0, 2 * MAX_BODY).trim(), MAX_BODY);
  return quoted === '' ? sentence : `${sentence}\n${quotation(quoted)}`;
}
