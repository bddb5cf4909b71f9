import type { Ecosystem } from '#contracts';

/** A release that is measured. */
export interface MeasuredRelease {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/**
 * Questions about a release, each with the files that answer it: paths in the package, without
 * their endings.
 */
export interface AskedPackage extends MeasuredRelease {
  readonly questions: readonly (readonly [question: string, ...files: string[]])[];
}

/** Measured for their times alone. */
export const TIMED_RELEASES: readonly MeasuredRelease[] = [
  { ecosystem: 'npm', name: 'react', version: '19.3.1' },
  { ecosystem: 'npm', name: 'typescript', version: '5.9.3' },
  { ecosystem: 'pypi', name: 'numpy', version: '2.4.6' },
];

/** Written from what the packages do, before any search was made of them. */
export const ASKED_PACKAGES: readonly AskedPackage[] = [
  {
    ecosystem: 'npm',
    name: '@nestjs/core',
    version: '12.5.1',
    questions: [
      ['how are the dependencies of a provider resolved and injected', 'injector/injector'],
      [
        'detect a circular dependency between modules',
        'errors/exceptions/circular-dependency.exception',
        'injector/injector',
      ],
      ['run guards and throw Forbidden when one returns false', 'guards/guards-consumer'],
      [
        'call interceptors one after the other around a handler',
        'interceptors/interceptors-consumer',
      ],
      ['scan modules for controllers and providers at start', 'scanner'],
      ['send a server-sent event to the client', 'router/sse-stream'],
      ['what happens on SIGTERM when shutdown hooks are enabled', 'nest-application-context'],
      ['default exception filter that answers 500', 'exceptions/base-exception-filter'],
      ['lazy load a module at run time', 'injector/lazy-module-loader/lazy-module-loader'],
      ['register middleware for routes with forRoutes and exclude', 'middleware/builder'],
    ],
  },
  {
    ecosystem: 'npm',
    name: 'express',
    version: '5.3.0',
    questions: [
      ['send a JSON response', 'lib/response'],
      ['set a cookie on the response', 'lib/response'],
      ['redirect to another url', 'lib/response'],
      ['is the request an XMLHttpRequest', 'lib/request'],
      ['trust proxy ip address of the client', 'lib/request', 'lib/utils', 'lib/application'],
      ['look up a view template file in the root folders', 'lib/view'],
      ['mount another application below a path', 'lib/application'],
      ['compile the etag setting into a function', 'lib/utils'],
      ['which content types does the client accept', 'lib/request'],
      ['create an application with mixed in event emitter', 'lib/express'],
    ],
  },
  {
    ecosystem: 'npm',
    name: 'axios',
    version: '1.21.1',
    questions: [
      ['cancel a request with a token', 'lib/cancel/CancelToken'],
      ['add a request interceptor', 'lib/core/InterceptorManager'],
      ['serialize an object into form data', 'lib/helpers/toFormData'],
      ['append query parameters to a url', 'lib/helpers/buildURL'],
      ['merge two configurations', 'lib/core/mergeConfig'],
      ['reject or resolve a promise by the response status', 'lib/core/settle'],
      ['normalise header names and set content type', 'lib/core/AxiosHeaders'],
      ['should the proxy be bypassed for this host, NO_PROXY', 'lib/helpers/shouldBypassProxy'],
      ['combine several abort signals with a timeout', 'lib/helpers/composeSignals'],
      ['follow redirects and limit the body size in node', 'lib/adapters/http'],
    ],
  },
  {
    ecosystem: 'npm',
    name: 'lodash',
    version: '4.18.1',
    questions: [
      ['delay a function until calls stop, with leading and trailing edge', 'debounce'],
      ['recursively clone a value', 'cloneDeep', '_baseClone'],
      ['compare two values deeply for equality', 'isEqual', '_baseIsEqual', '_baseIsEqualDeep'],
      ['group elements of a collection by a key', 'groupBy'],
      ['memoize results of a function by its first argument', 'memoize'],
      ['pick properties of an object', 'pick', '_basePick'],
      ['convert a string to camel case', 'camelCase'],
      ['split an array into chunks of a size', 'chunk'],
      ['compile a template with interpolate delimiters', 'template'],
      ['set the value at a path of an object, creating what is missing', 'set', '_baseSet'],
    ],
  },
  {
    ecosystem: 'pypi',
    name: 'requests',
    version: '2.34.2',
    questions: [
      ['retry failed connections with an adapter', 'requests/adapters'],
      ['HTTP digest authentication challenge', 'requests/auth'],
      ['merge cookies into a cookie jar', 'requests/cookies'],
      ['rebuild the authorization header on redirect', 'requests/sessions'],
      ['prepare the body of a request with files and form data', 'requests/models'],
      ['raise an error for a 4xx status', 'requests/models'],
      ['case insensitive dictionary for headers', 'requests/structures'],
      ['read credentials from netrc', 'requests/utils'],
      ['guess the encoding of a response from its headers', 'requests/utils'],
      ['exception for too many redirects', 'requests/exceptions'],
    ],
  },
  {
    ecosystem: 'pypi',
    name: 'flask',
    version: '3.1.3',
    questions: [
      ['push the application context', 'flask/ctx'],
      ['sign the session cookie', 'flask/sessions'],
      ['run the development server from the command line', 'flask/cli'],
      ['load configuration from a python file', 'flask/config'],
      ['send a file as a download', 'flask/helpers'],
      ['register a blueprint with a url prefix', 'flask/sansio/blueprints', 'flask/blueprints'],
      ['class based views dispatch by method', 'flask/views'],
      ['turn the return value of a view into a response', 'flask/app'],
      ['test client that keeps cookies and session', 'flask/testing'],
      ['serialize dates and UUIDs to JSON', 'flask/json/provider'],
    ],
  },
  {
    ecosystem: 'pypi',
    name: 'click',
    version: '8.5.1',
    questions: [
      ['prompt the user for a hidden password', 'click/termui'],
      ['parameter type for existing files and folders', 'click/types'],
      ['invoke a command in a test and capture its output', 'click/testing'],
      ['progress bar rendering with eta', 'click/_termui_impl'],
      ['generate bash completion script', 'click/shell_completion'],
      ['decorator that makes an option', 'click/decorators'],
      ['wrap help text to the terminal width', 'click/formatting', 'click/_textwrap'],
      ['error for a missing parameter', 'click/exceptions'],
      ['group of subcommands resolve a command by name', 'click/core'],
      ['open a file lazily, or standard input for a dash', 'click/utils', 'click/types'],
    ],
  },
  {
    ecosystem: 'pypi',
    name: 'django',
    version: '5.2.19',
    questions: [
      ['check a CSRF token in the middleware', 'django/middleware/csrf'],
      ['hash a password with PBKDF2', 'django/contrib/auth/hashers'],
      ['compile a queryset into SQL', 'django/db/models/sql/compiler'],
      ['resolve a url path to a view', 'django/urls/resolvers'],
      ['detect changes between models and write migrations', 'django/db/migrations/autodetector'],
      ['split a list into pages', 'django/core/paginator'],
      ['validate an email address', 'django/core/validators'],
      [
        'escape html in templates, mark a string as safe',
        'django/utils/html',
        'django/utils/safestring',
      ],
      ['cache backend in a database table', 'django/core/cache/backends/db'],
      ['sign a value with a timestamp', 'django/core/signing'],
    ],
  },
];
