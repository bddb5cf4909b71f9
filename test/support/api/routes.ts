import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const LINE = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/;

/**
 * Every route of a running API as `METHOD /path`, in order. HEAD counts as the GET that it belongs
 * to.
 */
export function routesOf(app: NestFastifyApplication): string[] {
  const server = app.getHttpAdapter().getInstance();
  const routes = new Set<string>();
  const above: string[] = [];
  for (const line of server.printRoutes().split('\n')) {
    if (line.trim() === '') continue;
    const [, indent, part, methods = ''] = LINE.exec(line) ?? [];
    if (indent === undefined || part === undefined) throw new Error(`Not a route: ${line}`);
    const depth = indent.length / 4;
    const path = `${depth === 0 ? '' : (above[depth - 1] ?? '')}${part}`;
    above[depth] = path;
    for (const method of methods.split(', ').filter(Boolean)) {
      if (method !== 'HEAD' || !methods.includes('GET'))
        routes.add(`${method} ${path.replace(/^\/\//, '/')}`);
    }
  }
  return [...routes].sort();
}

/** The path of a route with its parameters filled in; what is not given gets `otherwise`. */
export function pathOf(
  route: string,
  given: Readonly<Record<string, string>>,
  otherwise: string,
): string {
  const [, path = ''] = route.split(' ');
  return path
    .replace(/:(\w+)/g, (_, name: string) => given[name] ?? otherwise)
    .replace('*', path.endsWith('/tile/*') ? '0/000.p/1' : 'swagger-ui.css');
}
