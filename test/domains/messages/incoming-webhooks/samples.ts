/** Bodies in the form that GitHub documents, with values of our own. */
const repository = {
  name: 'site',
  full_name: 'example/site',
  html_url: 'https://github.com/example/site',
  private: true,
};
const sender = { login: 'ada', id: 1, type: 'User' };
const common = { repository, sender, organization: { login: 'example' } };

export const issueEvent = (action: string, more: object = {}) => ({
  ...common,
  action,
  issue: {
    number: 5,
    title: 'The *form* is [empty',
    html_url: 'https://github.com/example/site/issues/5',
    body: 'Press Send.\n```\nnothing\n```',
    state: 'open',
    labels: [],
    ...more,
  },
});

export const pullEvent = (action: string, more: object = {}) => ({
  ...common,
  action,
  number: 12,
  pull_request: {
    number: 12,
    title: 'Fill the form',
    html_url: 'https://github.com/example/site/pull/12',
    body: null,
    merged: false,
    draft: false,
    ...more,
  },
});

export const pushEvent = (commits: number, more: object = {}) => ({
  ...common,
  ref: 'refs/heads/main',
  compare: 'https://github.com/example/site/compare/1a2b...3c4d',
  created: false,
  deleted: false,
  forced: false,
  commits: Array.from({ length: commits }, (_, at) => ({
    id: `${at}`.padStart(40, 'a'),
    message: `Change ${at}\n\nBecause.`,
    url: `https://github.com/example/site/commit/${at}`,
    author: { name: 'Ada', username: 'ada' },
  })),
  ...more,
});

export const commentEvent = (on: object) => ({
  ...on,
  action: 'created',
  comment: { html_url: 'https://github.com/example/site/issues/5#issuecomment-1', body: 'Seen here too.' },
});

export const reviewEvent = (state: string) => ({
  ...pullEvent('submitted'),
  review: { html_url: 'https://github.com/example/site/pull/12#pullrequestreview-1', body: 'Good.', state },
});

export const releaseEvent = {
  ...common,
  action: 'published',
  release: {
    tag_name: 'v2.0',
    name: 'Second',
    html_url: 'https://github.com/example/site/releases/v2.0',
    body: '* Faster',
  },
};

export const checkEvent = (kind: 'check_run' | 'check_suite' | 'workflow_run', conclusion: string | null) => ({
  ...common,
  action: 'completed',
  [kind]: {
    name: kind === 'check_suite' ? undefined : 'build',
    status: 'completed',
    conclusion,
    html_url: kind === 'check_suite' ? undefined : 'https://github.com/example/site/runs/7',
    head_sha: 'c0ffee0c0ffee0c0ffee0c0ffee0c0ffee0c0ffe',
    ...(kind === 'check_run' ? { check_suite: { head_branch: 'main' } } : { head_branch: 'main' }),
    app: { name: 'GitHub Actions' },
  },
});

export const pingEvent = { ...common, zen: 'Keep it simple.', hook_id: 3 };
