import type { ServeSettings } from './declared-options.ts';

/** Explains why a server cannot listen. */
export function listenProblem(
  error: Error,
  { host = '127.0.0.1', port = 9991, socket, metrics }: ServeSettings,
): string {
  const { code, port: taken, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (socket !== undefined && taken === undefined && address !== undefined) {
    if (code === 'EACCES') return `You may not write to the folder of ${socket}. Choose another path with --socket.`;
    if (code === 'ENOENT')
      return `The folder of ${socket} does not exist. Create it, or choose another path with --socket.`;
    if (code === 'EADDRINUSE') return `Another server already listens on ${socket}.`;
    return `Cannot listen on ${socket}: ${error.message}`;
  }
  const isMetrics = metrics !== undefined && taken === metrics.port && taken !== port;
  const [where, option] = isMetrics ? [`${metrics.host}:${metrics.port}`, '--metrics'] : [`${host}:${port}`, '--port'];
  if (code === 'EADDRINUSE') return `${where} is in use. Choose another port with ${option}.`;
  if (code === 'EACCES') return `You may not use ${where}. Choose a port above 1023 with ${option}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${isMetrics ? metrics.host : host}. Choose another address with ${isMetrics ? option : '--host'}.`;
  return error.message;
}
