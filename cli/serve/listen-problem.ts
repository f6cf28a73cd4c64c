import type { ServeSettings } from './declared-options.ts';

/** Why a server cannot listen, in words. */
export function listenProblem(
  error: Error,
  { host = '127.0.0.1', port = 9991, socket, metrics }: ServeSettings,
): string {
  const { code, port: taken, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (socket !== undefined && taken === undefined && address !== undefined) {
    if (code === 'EACCES') return `The folder of ${socket} is not yours to write in; choose another with --socket.`;
    if (code === 'ENOENT') return `There is no folder for ${socket}; make it, or choose another with --socket.`;
    if (code === 'EADDRINUSE') return `Another server listens on ${socket}.`;
    return `${socket} cannot be listened on: ${error.message}`;
  }
  const isMetrics = metrics !== undefined && taken === metrics.port && taken !== port;
  const [where, option] = isMetrics
    ? [`Port ${metrics.port} of ${metrics.host}`, '--metrics']
    : [`Port ${port} of ${host}`, '--port'];
  if (code === 'EADDRINUSE') return `${where} is taken; choose another with ${option}.`;
  if (code === 'EACCES') return `${where} is not allowed to you; choose one above 1023 with ${option}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${isMetrics ? metrics.host : host}; choose another with ${isMetrics ? option : '--host'}.`;
  return error.message;
}
