// What a viewer of OpenSpending loads to know who looks at it. Nobody signs in to fiscube: every package is public.
(function (angular) {
  'use strict';
  var services = angular.module('authClient.services', []);

  services.service('authenticate', ['$q', function ($q) {
    this.getToken = function () { return null; };
    this.check = function () { return $q.reject({google: {url: null}}); };
    this.login = function () {};
    this.logout = function () {};
  }]);

  services.service('authorize', ['$q', function ($q) {
    this.check = function () { return $q.resolve({}); };
  }]);

  services.service('baseUrl', function () {
    var base = '';
    this.setBaseUrl = function (url) { base = url; };
    this.getBaseUrl = function () { return base; };
  });
})(window.angular);
