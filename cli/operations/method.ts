import type { DryRuns, Session } from '../../lib/index.ts';
import type { Operation } from '../../lib/internal.ts';

type Method = (parameters: object) => Promise<object>;

export function methodOf(session: Session | DryRuns, { name }: Pick<Operation, 'name'>): Method {
  const [group, action] = name.split('.') as [string, string | undefined];
  const methods = session as unknown as Record<string, Method & Record<string, Method>>;
  return (action === undefined ? methods[group] : methods[group]?.[action]) as Method;
}
