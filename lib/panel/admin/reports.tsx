/** Reported messages, for moderators. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../chat/session.ts';
import { useAction } from '../app/hooks.ts';
import { Link } from '../app/router.tsx';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { Input, SelectField } from './kit.tsx';
import { List } from './lines.tsx';
import { useLive } from './live.tsx';

type Report = Awaited<ReturnType<Session['reports']['list']>>['reports'][number];

type Status = 'open' | 'resolved';

export function ReportsSection(): JSX.Element {
  const { store, words } = useAdmin();
  const [status, setStatus] = useState<Status>('open');
  const [before, setBefore] = useState<number>();
  const found = useLive(
    async () => store.session.reports.list({ status, ...(before !== undefined && { before_id: before }) }),
    [],
    [status, before],
  );
  const reports = found.value?.reports;
  const last = reports?.at(-1)?.id;
  return (
    <>
      <SelectField
        label={words.accountStatus}
        value={status}
        options={[
          ['open', words.openReports],
          ['resolved', words.resolvedReports],
        ]}
        onChange={(value) => {
          setStatus(value as Status);
          setBefore(undefined);
        }}
      />
      <ErrorText action={found} />
      <List key={`${status} ${before}`} label={words.reports} items={reports} empty={words.noReports}>
        {(report) => <ReportLine key={report.id} report={report} onResolved={found.refresh} />}
      </List>
      {found.value?.found_oldest === false && <Button onClick={() => setBefore(last)}>{words.olderReports}</Button>}
      {before !== undefined && <Button onClick={() => setBefore(undefined)}>{words.newestReports}</Button>}
    </>
  );
}

function ReportLine({ report, onResolved }: { report: Report; onResolved(): void }): JSX.Element {
  const { store, words, formats, announce } = useAdmin();
  const types = useCell(store.organization)?.server_report_message_types;
  const [sender, reporter, resolver] = usePeople([
    report.sender_id,
    report.reporter_id,
    report.resolver_id ?? report.reporter_id,
  ]);
  const [outcome, setOutcome] = useState('');
  const action = useAction();
  const { id, message_id, report_type, description, content, timestamp, resolved_timestamp } = report;
  const resolve = async () => {
    if (!(await action.run(() => store.session.reports.resolve({ report_id: id, outcome: outcome.trim() })))) return;
    announce(words.saved);
    onResolved();
  };
  const reason = types?.find(({ key }) => key === report_type)?.name ?? report_type;
  return (
    <li class="report">
      <p>
        <b>{words.reportedMessage(sender?.full_name ?? '…')}</b>
        <span class="muted"> · {formats.full(timestamp * 1000)}</span>
      </p>
      <p>
        {words.reportedBy(reporter?.full_name ?? '…', reason)} {description}
      </p>
      <blockquote class="admin-quote" dir="auto">
        {content}
      </blockquote>
      <p>
        <Link to={{ view: 'search', terms: [['id', message_id]] }}>{words.goToMessage}</Link>
      </p>
      {resolved_timestamp === null ? (
        <Form class="form-line" onSubmit={resolve}>
          <Input
            label={words.outcome}
            hint={words.outcomeHint}
            value={outcome}
            onInput={setOutcome}
            maxLength={1000}
            error={action.error}
            isRequired
          />
          <Button isSubmit isDisabled={action.isRunning}>
            {words.resolve}
          </Button>
        </Form>
      ) : (
        <p class="muted">
          {words.resolvedBy(
            report.resolver_id === null ? words.theProgram : (resolver?.full_name ?? '…'),
            formats.full(resolved_timestamp * 1000),
          )}{' '}
          {report.outcome}
        </p>
      )}
    </li>
  );
}
